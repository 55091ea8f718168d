import argparse
import os

import torch
from torch import nn, optim


class Trainer:
    def __init__(self, args):
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = nn.Linear(10, 2).to(self.device)
        self.optimizer = optim.SGD(self.model.parameters(), lr=args.lr)
        self.epoch = 0
        if args.resume and os.path.exists(args.resume):
            self.resume(args.resume)

    def resume(self, path):
        checkpoint = torch.load(path, weights_only=True)  # expect: TP003:22
        self.model.load_state_dict(checkpoint["model"])
        self.optimizer.load_state_dict(checkpoint["optimizer"])
        self.epoch = checkpoint["epoch"]


def without_prefix(path):
    state = torch.load(path)  # expect: TP003:13
    return {name.removeprefix("module."): value for name, value in state.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--resume")
    trainer = Trainer(parser.parse_args())
    use_cuda = torch.cuda.is_available()
    head = nn.Linear(2, 2)
    if use_cuda:
        head = head.cuda()
    head.load_state_dict(without_prefix("head.pt"))
    return trainer, head


main()
