import time

import torch
from torch import nn

net = nn.Linear(64, 64)
x = torch.randn(8, 64)

fast = torch.compile(net)
start = time.time()
fast(x)
compile_time = time.time() - start

other = torch.compile(net, dynamic=True)
start = time.time()
other(x)
end = time.time()
print(f"first call: {end - start:.2f} s")


def show_both() -> list[float]:
    seconds = []
    model = torch.compile(net, fullgraph=True)
    start = time.time()
    model(x)
    seconds.append(time.time() - start)
    start = time.time()
    model(x)
    seconds.append(time.time() - start)
    return seconds


def measure_compilation() -> float:
    model = torch.compile(net, mode="max-autotune-no-cudagraphs")
    start = time.time()
    model(x)
    return time.time() - start


def compile_and_run() -> float:
    start = time.time()
    model = torch.compile(net, backend="eager")
    model(x)
    return time.time() - start


def throughput(batches: list[torch.Tensor]) -> float:
    model = torch.compile(net, backend="aot_eager")
    start = time.time()
    for batch in batches:
        model(batch)
    return len(batches) / (time.time() - start)
