"""The device is waited for, one way or another."""
import time

import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(1024, 1024).to(device)
x = torch.randn(64, 1024, device=device)

torch.cuda.synchronize()
start = time.perf_counter()
y = net(x)
torch.cuda.synchronize()
print(time.perf_counter() - start)

start = time.perf_counter()
print(net(x).sum().item(), time.perf_counter() - start)

start = time.perf_counter()
rows = net(x).cpu()
print(time.perf_counter() - start)

start = time.perf_counter()
y = net(x)
print(y[0])
print(time.perf_counter() - start)

first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
start = time.perf_counter()
first.record()
y = net(x)
last.record()
last.synchronize()
print(first.elapsed_time(last), time.perf_counter() - start)


def wait():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def timed():
    wait()
    begin = time.time()
    result = net(x)
    wait()
    return result, time.time() - begin
