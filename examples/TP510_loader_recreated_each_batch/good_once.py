"""Single batches outside of loops, once per epoch or now and then; loaders made for an epoch, a fold, a client."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset
from torchvision import datasets, transforms

images = datasets.ImageFolder("images", transforms.ToTensor())
train_loader = DataLoader(images, batch_size=4, shuffle=True, num_workers=4)  # expect: TP952:16
test_loader = DataLoader(images, batch_size=4, num_workers=2)
random_loader = DataLoader(images, batch_size=4, shuffle=True, num_workers=0)
kept_loader = DataLoader(images, batch_size=4, shuffle=True, num_workers=2, persistent_workers=True)


def train(model, optimizer, epochs):
    fixed, _ = next(iter(test_loader))
    for epoch in range(epochs):
        for step, (x, y) in enumerate(train_loader):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            if step % 500 == 0:
                shown, _ = next(iter(test_loader))
                print(model(shown).argmax(1), model(fixed).argmax(1))
        sample, _ = next(iter(test_loader))
        print(epoch, sample.shape)


def train_on_random_batches(model, optimizer, steps):
    for _ in range(steps):
        x, y = next(iter(random_loader))
        z, _ = next(iter(kept_loader))
        optimizer.zero_grad()
        (nn.functional.cross_entropy(model(x), y) + model(z).mean()).backward()
        optimizer.step()


def cross_validate(model, optimizer, folds):
    for fold in folds:
        loader = DataLoader(Subset(images, fold), batch_size=8, shuffle=True, num_workers=2)
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()


def zipped(model):
    others = iter(test_loader)
    for x, _ in train_loader:
        y, _ = next(others, (None, None))
        print(model(x).mean(), y)
        names = {"a": 1}
        print(next(iter(names)), torch.__version__)
