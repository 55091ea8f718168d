import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

LONGEST = 128


def pad(samples):
    ids = pad_sequence(samples, batch_first=True)
    return nn.functional.pad(ids, (0, LONGEST - ids.size(1)))


def train(model: nn.Module, samples):
    compiled = torch.compile(model, mode="reduce-overhead")
    for ids in DataLoader(samples, batch_size=8, collate_fn=pad, num_workers=2):
        compiled(ids.cuda()).sum().backward()


def ragged(model: nn.Module, samples):
    compiled = torch.compile(model, dynamic=True)
    loader = DataLoader(samples, batch_size=8, collate_fn=lambda batch: pad_sequence(batch, True), num_workers=2)
    for ids in loader:
        compiled(ids.cuda()).sum().backward()


class Server:
    def __init__(self, model: nn.Module):
        self.dynamic = torch.compile(model, mode="max-autotune-no-cudagraphs", dynamic=True)
        self.fixed = torch.compile(model, mode="reduce-overhead", dynamic=False)
        self.eager = torch.compile(model, backend="aot_eager", dynamic=True)

    def warm_up(self):
        for size in (1, 2, 4, 8):
            self.fixed(torch.zeros(size, 16, device="cuda"))


def per_size(model: nn.Module, sizes):
    buckets = torch.compile(model, mode="reduce-overhead")
    for size in (1, 8, 32):
        buckets(torch.zeros(size, 16, device="cuda"))
    for step in range(100):
        buckets(torch.randn(32, 16, device="cuda") * step)


def last_batch_is_smaller(model: nn.Module, data):
    compiled = torch.compile(model, mode="reduce-overhead")
    for images, _ in DataLoader(data, batch_size=64, num_workers=2):
        compiled(images.cuda(), 3)


def window(model: nn.Module, ids):
    compiled = torch.compile(model, mode="reduce-overhead")
    for _ in range(100):
        recent = ids[:, -64:]
        ids = torch.cat([ids, compiled(recent)], dim=1)
    return ids
