"""Operations whose results nobody keeps."""
import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset

digits = TensorDataset(torch.rand(64, 28, 28), torch.randint(0, 10, (64,)))


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1 = nn.Linear(784, 32)
        self.act = nn.ReLU()
        self.fc2 = nn.Linear(32, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.fc1(x)
        self.act(x)  # expect: TP301:9
        F.dropout(x, 0.5, self.training)  # expect: TP301:9
        x = self.fc2(x)
        torch.clamp(  # expect: TP301:9
            x,
            min=-10,
            max=10,
        )
        return x


def train(net: Net) -> None:
    optimizer = optim.SGD(net.parameters(), lr=0.1)
    for images, labels in DataLoader(digits, batch_size=8):  # expect: TP956:27
        images.view(-1, 784)  # expect: TP301:9
        optimizer.zero_grad()
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()


def truncated(cell: nn.GRU, windows: list) -> torch.Tensor:
    hidden = torch.zeros(1, 4, 32)
    for window in windows:
        hidden.detach()  # expect: TP301:9
        _, hidden = cell(window, hidden)
    return hidden


def normalized(weights: torch.Tensor, names: list[str]) -> dict[str, torch.Tensor]:
    F.normalize(weights, dim=-1) if len(names) > 1 else None  # expect: TP301:5
    rows = weights.unbind()
    [row.squeeze(0) for row in rows]  # expect: TP301:6
    return dict(zip(names, rows))


mean = torch.rand(8, 3)
mean.t()  # expect: TP301:1
net = Net()
print(mean.shape)
