import torch
import torchvision
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 16, 3)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).mean((2, 3)))


def augment():
    return transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])


class Trainer:
    def __init__(self, net, device):
        self.net = net
        self.net.to(device)  # expect: TP941:9
        self.device = device
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def epoch(self, loader):
        for images, labels in loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda", dtype=torch.bfloat16):
                output = self.net(images.to(self.device))
                loss = nn.functional.cross_entropy(output, labels.to(self.device))
            loss.backward()
            self.optimizer.step()


def main(loader):
    Trainer(Net(), torch.device("cuda" if torch.cuda.is_available() else "cpu")).epoch(loader)
