import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU())
        self.head = nn.Linear(16, 2)

    def forward(self, x):
        return self.head(self.body(x))


class Trainer:
    def __init__(self, device):
        self.device = torch.device(device if torch.cuda.is_available() else "cpu")
        self.net = Net().to(self.device)
        self.optimizer = torch.optim.AdamW(self.net.parameters())

    def step(self, x, y):
        loss = nn.functional.cross_entropy(self.net(x.to(self.device)), y.to(self.device))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        print(f"loss: {loss:.3f}")  # expect: TP946:9

    def fit(self, batches):
        for x, y in batches:
            self.step(x, y)


Trainer("cuda").fit([])
