"""A trainer that counts its backward passes, under a scaler."""
import torch
import torch.nn.functional as F
from torch import nn


class Trainer:
    def __init__(self, net: nn.Module, args):
        self.net = net
        self.args = args
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)
        self.scaler = torch.amp.GradScaler("cuda")
        self.waiting = 0

    def loss(self, x, y):
        with torch.autocast("cuda", dtype=torch.float16):
            return F.cross_entropy(self.net(x), y) + 0.1 * self.net(x).square().mean()

    def step(self):
        self.scaler.unscale_(self.optimizer)
        nn.utils.clip_grad_norm_(self.net.parameters(), self.args.clip)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()

    def run(self, loader):
        self.net.train()
        for x, y in loader:
            loss = self.loss(x.cuda(), y.cuda())
            self.scaler.scale(loss).backward()  # expect: TP114:13
            self.waiting += 1
            if self.waiting == self.args.accumulate:
                self.step()
                self.waiting = 0
