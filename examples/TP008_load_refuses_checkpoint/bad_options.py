import os

import torch


class Trainer:
    def __init__(self, model, optimizer, options):
        self.model = model
        self.optimizer = optimizer
        self.options = options
        self.device = torch.device(options.device)
        self.epoch = 0

    def save(self):
        state = {
            "epoch": self.epoch,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "options": self.options,
        }
        torch.save(state, os.path.join(self.options.folder, f"epoch_{self.epoch}.pth"))

    def resume(self, path):
        state = torch.load(path, map_location=self.device)  # expect: TP008:17
        self.epoch = state["epoch"] + 1
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
