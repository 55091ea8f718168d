"""Streams are there on CUDA only."""
import torch
from torch import nn


def overlapped(batches):
    net = nn.Linear(8, 2).cuda().eval()
    stream = torch.cuda.Stream()
    with torch.inference_mode(), torch.cuda.stream(stream):
        stream.wait_stream(torch.cuda.default_stream())
        return [net(batch.cuda()) for batch in batches]
