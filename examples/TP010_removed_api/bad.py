import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torchvision import models, transforms

model = models.resnet18(weights="DEFAULT")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = ReduceLROnPlateau(optimizer, patience=3, verbose=True)  # expect: TP010:13
prepare = transforms.Compose([transforms.Scale(256), transforms.ToTensor()])  # expect: TP010:31


def whiten(features: torch.Tensor) -> torch.Tensor:
    covariance = features.T @ features / len(features)
    values, vectors = torch.symeig(covariance, eigenvectors=True)  # expect: TP010:23
    return features @ vectors / values.sqrt()
