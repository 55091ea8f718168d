"""No use of CUDA that surely comes before."""
import os
import subprocess
import sys

import torch


def select(gpu, debug):
    torch.manual_seed(0)  # expect: TP903:5
    torch.cuda.manual_seed_all(0)
    if torch.cuda.device_count() == 0:
        return torch.device("cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu
    if debug:
        os.environ["CUDA_LAUNCH_BLOCKING"] = "1"
    return torch.device("cuda")


def train(net, batches, gpu):
    device = select(gpu, debug=False)
    net.to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in batches:
        optimizer.zero_grad()
        net(batch.to(device)).sum().backward()
        optimizer.step()


def elsewhere(script):
    print(torch.cuda.is_available())
    environment = os.environ.copy()
    environment["CUDA_VISIBLE_DEVICES"] = "3"
    subprocess.run([sys.executable, script], env=environment, check=True)
