import torch
from torch import nn
from torch.nn import functional as F


def per_sample_gradients(net: nn.Module, images: torch.Tensor, labels: torch.Tensor):
    found = []
    for i in range(images.shape[0]):
        loss = F.cross_entropy(net(images[i:i + 1]), labels[i:i + 1])
        found.append(torch.autograd.grad(loss, list(net.parameters())))  # expect: TP919:22
    return found
