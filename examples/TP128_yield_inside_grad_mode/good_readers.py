"""All readers are in view, and none of them wants a gradient."""
import torch
from tqdm import tqdm


def predictions(model, loader):
    model.eval()
    with torch.inference_mode():
        for x, y in loader:
            yield model(x).argmax(1), y


def accuracy(model, loader):
    right = total = 0
    for index, (predicted, y) in enumerate(tqdm(predictions(model, loader))):
        right += (predicted == y).sum().item()
        total += len(y)
    return right / total


def embeddings(model, loader):
    model.eval()
    with torch.no_grad():
        for x in loader:
            yield model(x)


def train(model, head, loader, optimizer):
    known = list(embeddings(model, loader))
    for h in known:
        loss = head(h).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
