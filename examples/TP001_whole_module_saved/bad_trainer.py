"""A trainer writes its checkpoints as dictionaries that hold the module."""
import os

import torch
from torch import nn
from torch import save as write
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, model: nn.Module, folder, distributed=False):
        self.model = DDP(model) if distributed else model
        self.best = None
        self.folder = folder

    def checkpoint(self, epoch, loss):
        state = {"epoch": epoch, "loss": loss}
        state["model"] = self.model
        torch.save(state, os.path.join(self.folder, "last.pt"))  # expect: TP710:9, TP001:20

    def snapshot(self, epoch):
        write(  # expect: TP710:9
            {
                "epoch": epoch,
                "net": self.model,  # expect: TP001:24
            },
            os.path.join(self.folder, f"{epoch}.pt"),
        )

    def pair(self, other: nn.Module):
        torch.save(obj=(self.model.state_dict(), other), f=os.path.join(self.folder, "pair.pt"))  # expect: TP710:9, TP001:50
