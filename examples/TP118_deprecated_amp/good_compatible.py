"""Programs that run on old and new torch."""
import torch
from packaging.version import Version

try:
    from torch.amp import GradScaler
except ImportError:
    from torch.cuda.amp import GradScaler

try:
    from torch.cuda.amp import autocast
except ImportError:
    autocast = None


def make_scaler(enabled):
    if Version(torch.__version__) >= Version("2.4"):
        return torch.amp.GradScaler("cuda", enabled=enabled)
    return GradScaler(enabled=enabled)


def half_precision():
    if hasattr(torch, "autocast"):
        return torch.autocast("cuda")
    elif autocast is not None:
        return autocast()
    raise RuntimeError("this torch has no autocast")
