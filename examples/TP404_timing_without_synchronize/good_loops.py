"""Timers of epochs and of rounds, of loading, and on the CPU."""
import time

import torch
from torch import nn
from torch.utils.data import DataLoader


def train(model: nn.Module, loader: DataLoader, optimizer, criterion, device):
    model.to(device)
    model.train()
    total, load_time, batch_time = 0.0, 0.0, 0.0
    epoch = time.time()
    end = time.time()
    for x, y in loader:
        load_time += time.time() - end
        x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: TP946:18
        batch_time += time.time() - end
        end = time.time()
    return total, load_time, batch_time, time.time() - epoch


def rounds(model: nn.Module, loader: DataLoader):
    model.cuda()  # expect: TP942:5
    model.eval()
    spent = 0.0
    with torch.no_grad():
        end = time.time()
        for batch in loader:
            model(batch.cuda())
            spent += time.time() - end
            end = time.time()
    return spent


def on_the_cpu(batch_size):
    net = nn.Linear(10, 10)
    begin = time.perf_counter()
    net(torch.randn(batch_size, 10))
    return time.perf_counter() - begin


def unknown(model, evaluator, batch):
    batch = batch.cuda()
    begin = time.perf_counter()
    evaluator.process(batch, model(batch))
    return time.perf_counter() - begin


def either(model: nn.Module, batch, device):
    model.to(device)
    begin = time.perf_counter()
    model(batch.to(device))
    if device.type == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begin
