"""Where torch's refusal is what is wanted."""
import contextlib

import torch


def show() -> None:
    x = torch.zeros(2, 3)
    with contextlib.suppress(RuntimeError):
        x.t().view(6)
