"""Two loaders side by side, of which the second is started for every batch of the first."""
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from tqdm import tqdm

photos = datasets.ImageFolder("photos", transforms.ToTensor())
paintings = datasets.ImageFolder("paintings", transforms.ToTensor())
photo_loader = DataLoader(photos, batch_size=4, shuffle=True, num_workers=4)
painting_loader = DataLoader(paintings, batch_size=4, shuffle=True, num_workers=4)


def train_epoch(model, critic, optimizer):
    for photo, _ in tqdm(photo_loader):
        batches = iter(painting_loader)  # expect: TP510:19
        painting, _ = next(batches)
        optimizer.zero_grad()
        loss = critic(model(photo)).mean() - critic(painting).mean()
        loss.backward()
        optimizer.step()


def compare(model):
    for photo, _ in photo_loader:
        others = DataLoader(paintings, batch_size=len(photo), num_workers=2)  # expect: TP510:18
        distances = [nn.functional.l1_loss(photo, painting) for painting, _ in others if len(painting) == len(photo)]
        print(torch.stack(distances).min(), model)
