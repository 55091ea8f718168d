import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def accuracy(model, batches, device):
    counts = torch.zeros(2)
    for features, labels in batches:
        predicted = model(features.to(device)).argmax(1)
        counts[0] += (predicted == labels.to(device)).sum().item()
        counts[1] += len(labels)
    dist.all_reduce(counts)  # expect: TP708:5
    return (counts[0] / counts[1]).item()


def main(batches):
    dist.init_process_group("nccl")  # expect: TP971:5
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    model = DDP(nn.Linear(8, 3).to(device)).eval()
    with torch.inference_mode():
        print(accuracy(model, batches, device))
