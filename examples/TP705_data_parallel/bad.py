"""A script that uses all GPUs of the machine by threads."""
import torch
from torch import nn
from torch.nn.parallel import data_parallel

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10)).to(device)
if torch.cuda.device_count() > 1:
    net = nn.DataParallel(net)  # expect: TP705:11


def features(backbone, images, gpus):
    if gpus > 1:
        return data_parallel(backbone, images, range(gpus))  # expect: TP705:16
    return backbone(images)


class Trainer:
    def __init__(self, model, gpus):
        self.model = torch.nn.DataParallel(model.cuda(), device_ids=gpus).cuda()  # expect: TP705:22

    def weights(self):
        return self.model.module.state_dict()
