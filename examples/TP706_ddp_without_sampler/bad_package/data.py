from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def make_loader(root, batch_size):
    dataset = datasets.CIFAR10(root, download=True, transform=transforms.ToTensor())
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, num_workers=4)
