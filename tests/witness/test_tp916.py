"""TP916: Adam's penalty depends on the size of the gradient, AdamW's decay does not."""
from __future__ import annotations

import torch


def decays(kind: type[torch.optim.Optimizer], **options: bool) -> list[float]:
    """Return how much more weights shrink with decay than without, for a small and a large gradient."""
    found = []
    for slope in (0.01, 100.0):
        ends = []
        for decay in (0.0, 0.1):
            w = torch.ones(1, requires_grad=True)
            optimizer = kind([w], lr=0.01, weight_decay=decay, **options)  # type: ignore[call-arg]
            for sign in (1, -1) * 10:
                optimizer.zero_grad()
                (w * slope * sign).sum().backward()
                optimizer.step()
            ends.append(w.item())
        found.append(ends[0] - ends[1])
    return found


def test_adam_hardly_decays_where_gradients_are_large() -> None:
    small, large = decays(torch.optim.Adam)
    assert small > 10 * large > 0


def test_adamw_decays_alike() -> None:
    small, large = decays(torch.optim.AdamW)
    assert abs(small - large) < 0.1 * small


def test_adam_can_decouple() -> None:
    assert decays(torch.optim.Adam, decoupled_weight_decay=True) == decays(torch.optim.AdamW)
