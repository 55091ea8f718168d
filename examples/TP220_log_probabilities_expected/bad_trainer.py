import torch
from torch import nn, optim


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 4)

    def forward(self, x):
        return self.fc(x)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 4), nn.Softmax(dim=1))

    def forward(self, x):
        return self.net(x)


class Distiller:
    def __init__(self):
        self.student, self.teacher = Student(), Teacher()
        self.criterion = nn.KLDivLoss(reduction="batchmean")
        self.optimizer = optim.SGD(self.student.parameters(), lr=0.1)

    def run(self, loader):
        self.teacher.eval()
        self.student.train()
        for x, _ in loader:
            with torch.no_grad():
                wanted = self.teacher(x)
            out = self.student(x)
            loss = self.criterion(out, wanted)  # expect: TP220:20
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
