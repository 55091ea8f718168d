import torch
from torch import nn, optim

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(model, x, y):
    optimizer = optim.SGD(model.parameters(), lr=0.1)
    best = float("inf")
    for _ in range(10):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        if loss.item() < best:
            best = loss.item()
            torch.save(model.state_dict(), "best.pt")


def main():
    model = nn.Linear(10, 2).to(device)
    train(model, torch.randn(8, 10, device=device), torch.randn(8, 2, device=device))
    model.load_state_dict(torch.load("best.pt"))
    torch.save(model.state_dict(), "final.pt")
    model.load_state_dict(torch.load("final.pt"))
    return model


main()
