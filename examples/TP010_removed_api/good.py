import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau
from torchvision import models, transforms
from torchvision.utils import save_image

model = models.resnet18(weights="DEFAULT")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = ReduceLROnPlateau(optimizer, patience=3)
prepare = transforms.Compose([transforms.Resize(256), transforms.ToTensor()])


def whiten(features: torch.Tensor) -> torch.Tensor:
    covariance = features.T @ features / len(features)
    values, vectors = torch.linalg.eigh(covariance)
    return features @ vectors / values.sqrt()


def spectrogram(wave: torch.Tensor) -> torch.Tensor:
    return torch.stft(wave, 400, 160, window=torch.hann_window(400), return_complex=True).abs()


def spectrum(wave: torch.Tensor, **options) -> torch.Tensor:
    return torch.stft(wave, 400, **options) + torch.fft.rfft(wave)


def save(samples: torch.Tensor, path: str) -> None:
    save_image(samples, path, normalize=True, value_range=(-1, 1))
