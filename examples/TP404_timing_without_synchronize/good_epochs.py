import time

import torch
from torch import nn


def train(batches, epochs):
    model = nn.Linear(8, 1).cuda()  # expect: TP942:13
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        start = time.time()
        for x in batches:
            optimizer.zero_grad()
            model(x.cuda()).square().mean().backward()
            optimizer.step()
        print(epoch, time.time() - start)
