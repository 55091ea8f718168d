"""Each way to ask which torch there is, or to expect the warning, before the old name is used."""
import warnings

import torch
import torchvision
from torch import nn

try:
    from torch.func import vmap
except ImportError:
    from functorch import vmap

try:
    from torch.nn.utils.parametrizations import weight_norm
except ImportError:
    from torch.nn.utils import weight_norm


def orthogonal(matrix: torch.Tensor) -> torch.Tensor:
    if torch.__version__ < "1.8":
        return torch.qr(matrix)[0]
    return torch.linalg.qr(matrix)[0]


def backbone():
    new = hasattr(torchvision.models, "ResNet18_Weights")
    if new:
        return torchvision.models.resnet18(weights="DEFAULT")
    return torchvision.models.resnet18(pretrained=True)


def grid(points: torch.Tensor):
    try:
        return torch.meshgrid(points, points, indexing="ij")
    except TypeError:
        return torch.meshgrid(points, points)


def scripted(net: nn.Module):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.jit.script(weight_norm(net)), vmap(net)
