"""Model and loaders come from other files."""
import torch
import torch.nn.functional as F

from .data import get_loaders
from .net import Autoencoder


def main() -> None:
    use_cuda = torch.cuda.is_available()
    train_loader, test_loader = get_loaders(64)
    model = Autoencoder()
    if use_cuda:
        model = model.cuda()
    optimizer = torch.optim.Adam(model.parameters())
    for (x,) in train_loader:
        if use_cuda:
            x = x.cuda()
        optimizer.zero_grad()
        loss = F.mse_loss(model(x), x)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        for (x,) in test_loader:
            print(model(x).mean().item())  # expect: TP402:19


if __name__ == "__main__":
    main()
