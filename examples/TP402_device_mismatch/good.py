"""Everything is moved."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def fit(model, loader, optimizer):
    criterion = nn.MSELoss()
    for x, y in loader:
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)  # expect: TP954:16
        optimizer.zero_grad()
        out = model(x)
        scale = torch.tensor(2.0)
        loss = criterion(out, y) * scale + torch.zeros((), dtype=torch.float32)
        loss.backward()
        optimizer.step()


def evaluate(model, loader):
    predictions = []
    with torch.no_grad():
        for batch in loader:
            x, y = [t.to(device) for t in batch]
            out = model(x)
            predictions.append((out.cpu() - y.cpu()).abs())
    return torch.cat(predictions)


def picked(scores):
    table = torch.rand(10, 4, device=device)
    order = torch.randperm(10)
    table[order[:2]] = table[order[2:4]]
    table[0] = torch.ones(4)
    table.copy_(torch.rand(10, 4))
    noise = torch.randn_like(table) + torch.zeros(10, 4, device=table.device)
    return table[order] + noise.to(scores)


def main():
    data = TensorDataset(torch.randn(64, 5), torch.randn(64, 1))
    loader = DataLoader(data, batch_size=8, num_workers=2)  # expect: TP953:14, TP956:14
    model = nn.Linear(5, 1)
    model.to(device)
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))
    model.eval()
    print(evaluate(model, loader))
    model.cpu()
    with torch.no_grad():
        for x, _ in loader:
            print(model(x))


main()
