"""The base class makes the program distributed, the derived one saves."""
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Base:
    def __init__(self, model):
        dist.init_process_group("gloo")  # expect: TP971:9
        self.model = DistributedDataParallel(model)


class Trainer(Base):
    def finish(self):
        torch.save(self.model.module.state_dict(), "last.pt")  # expect: TP710:9
