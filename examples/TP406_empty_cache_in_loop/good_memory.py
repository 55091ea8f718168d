"""After running out of memory, now and then, and to measure memory."""
import torch
from torch import nn
from torch.utils.data import DataLoader


def train(model, loader: DataLoader, optimizer):
    model.train()
    for step, batch in enumerate(loader):
        try:
            optimizer.zero_grad()
            loss = model(batch.cuda()).mean()
            loss.backward()
            optimizer.step()
        except torch.cuda.OutOfMemoryError:
            torch.cuda.empty_cache()
            continue
        if step % 500 == 0:
            torch.cuda.empty_cache()


def largest_batch(sizes):
    for size in sizes:
        model = nn.Linear(1000, 1000).cuda()  # expect: TP942:17
        model(torch.randn(size, 1000).cuda()).sum().backward()  # expect: TP945:15
        del model
        torch.cuda.empty_cache()


def peak(model: nn.Module, loader: DataLoader):
    model.eval()
    peaks = []
    with torch.no_grad():
        for batch in loader:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
            model(batch.cuda())
            peaks.append(torch.cuda.max_memory_allocated())
    return peaks


def convert(paths):
    for path in paths:
        torch.save(torch.load(path, map_location="cuda").half(), path)
        torch.cuda.empty_cache()
