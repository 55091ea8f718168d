import argparse
import random
from collections import Counter, OrderedDict

import numpy as np
import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--resume", action="store_true")
args = parser.parse_args()

model = nn.Linear(10, 2)
optimizer = optim.SGD(model.parameters(), lr=args.lr)
scheduler = optim.lr_scheduler.StepLR(optimizer, 3)
scaler = torch.amp.GradScaler()
start, best = 0, float("inf")

if args.resume:
    checkpoint = torch.load("checkpoint.pth")
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    start, best = checkpoint["epoch"], checkpoint["best"]
    random.setstate(checkpoint["random"])

for epoch in range(start, 10):
    losses = []
    for _ in range(100):
        optimizer.zero_grad()
        loss = model(torch.randn(8, 10)).square().mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    scheduler.step()
    best = min(best, float(np.mean(losses)))
    state = {
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "scheduler": scheduler.state_dict(),
        "scaler": scaler.state_dict(),
        "epoch": epoch,
        "best": best,
        "args": vars(args),
        "random": random.getstate(),
        "torch_random": torch.get_rng_state(),
        "counts": Counter(losses),
        "names": OrderedDict(lr=args.lr),
        "seen": {1, 2},
    }
    torch.save(state, "checkpoint.pth")
