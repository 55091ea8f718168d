import torch
import torch.nn.functional as F
from torch import nn


def regression_loss(net, x, y):
    return F.smooth_l1_loss(net(x), y)


def train(batches, held_out, every=50):
    net = nn.Sequential(nn.Linear(13, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    x_test, y_test = held_out
    net.train()
    for step, (x, y) in enumerate(batches):
        optimizer.zero_grad()
        loss = regression_loss(net, x, y)
        loss.backward()
        optimizer.step()
        if step % every == 0:
            net.eval()  # expect: TP203:13
            with torch.no_grad():
                test_loss = regression_loss(net, x_test, y_test)
            print(step, loss.item(), test_loss.item())


train([], (torch.zeros(8, 13), torch.zeros(8, 1)))
