"""Paths with the rank in them, and code that says it runs on one rank."""
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, folder):
        dist.init_process_group("gloo")  # expect: TP971:9
        self.folder = folder
        self.model = DistributedDataParallel(model)

    def own_folder(self):
        return os.path.join(self.folder, str(dist.get_rank()))

    def save_generator(self):
        torch.save(torch.get_rng_state(), os.path.join(self.own_folder(), "generator.pt"))

    def save_weights(self):
        assert dist.get_rank() == 0
        torch.save(self.model.module.state_dict(), "weights.pt")
