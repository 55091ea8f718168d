"""Each way to ask which torch there is, before the old name is used."""
import inspect
import sys

import torch
from packaging import version
from torch.optim.lr_scheduler import ReduceLROnPlateau

try:
    from torchvision.models.utils import load_state_dict_from_url
except ImportError:
    from torch.hub import load_state_dict_from_url

try:
    from torch._six import string_classes
except Exception:
    string_classes = (str, bytes)

if sys.version_info < (3, 8):
    from torch._six import container_abcs
else:
    import collections.abc as container_abcs

OLD_TORCH = version.parse(torch.__version__) < version.parse("1.9")


def symmetric(matrix):
    if OLD_TORCH:
        return torch.symeig(matrix, eigenvectors=True)
    return torch.linalg.eigh(matrix)


def general(matrix):
    if version.parse(torch.__version__) >= version.parse("1.13"):
        return torch.linalg.eig(matrix)
    return torch.eig(matrix, eigenvectors=True)


def system(matrix, right):
    if hasattr(torch.linalg, "solve"):
        return torch.linalg.solve(matrix, right)
    else:
        return torch.solve(right, matrix)[0]


def rank(matrix):
    try:
        return torch.linalg.matrix_rank(matrix)
    except AttributeError:
        return torch.matrix_rank(matrix)


def fourier(signal):
    if hasattr(torch, "rfft"):
        return torch.rfft(signal, 1)
    return torch.view_as_real(torch.fft.rfft(signal))


def least_squares(matrix, right):
    try:
        return torch.lstsq(right, matrix)[0]
    except RuntimeError:
        return torch.linalg.lstsq(matrix, right)[0]


def plateau(optimizer):
    if "verbose" in inspect.signature(ReduceLROnPlateau).parameters:
        return ReduceLROnPlateau(optimizer, verbose=True)
    return ReduceLROnPlateau(optimizer)


def collate(batch):
    if isinstance(batch, container_abcs.Mapping):
        return {key: collate(value) for key, value in batch.items()}
    return batch if isinstance(batch, string_classes) else load_state_dict_from_url(batch)
