"""The inputs are moved, the targets are forgotten."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset, random_split


class Points(Dataset):
    def __init__(self, count: int) -> None:
        self.x = torch.rand(count, 2)
        self.y = (self.x.norm(dim=1) < 1).long()

    def __len__(self) -> int:
        return len(self.x)

    def __getitem__(self, index):
        return self.x[index], self.y[index]


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = nn.Linear(2, 32)
        self.out = nn.Linear(32, 2)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x)))


def train(model, loader, optimizer, device):
    model.train()
    for x, y in loader:
        x = x.to(device)
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)  # expect: TP402:16
        loss.backward()
        optimizer.step()


def accuracy(model, loader, device):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in loader:
            predicted = model(batch[0].to(device)).argmax(dim=1)
            correct += (predicted == batch[1]).sum().item()  # expect: TP402:25
            total += len(predicted)
    return correct / total


def main():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_set, test_set = random_split(Points(1000), [800, 200])
    train_loader = DataLoader(train_set, batch_size=50, shuffle=True, num_workers=2)  # expect: TP952:20, TP953:20
    test_loader = DataLoader(test_set, batch_size=50, num_workers=2)  # expect: TP952:19
    model = Net().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(5):
        train(model, train_loader, optimizer, device)
        print(accuracy(model, test_loader, device))


if __name__ == "__main__":
    main()
