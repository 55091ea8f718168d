"""TP955 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

HEAD = "import torch\nfrom lightning import seed_everything\nfrom torch.utils.data import DataLoader\n"


@pytest.mark.parametrize(
    "seed, given, expected",
    [
        ("torch.manual_seed(1)", "shuffle=True", ["TP955"]),
        ("seed_everything(1)", "shuffle=True", ["TP955"]),
        ("torch.cuda.manual_seed(1)", "shuffle=True", []),
        ("generator.manual_seed(1)", "shuffle=True", []),
        ("torch.manual_seed(1)", "shuffle=True, generator=generator", []),
        ("torch.manual_seed(1)", "shuffle=True, **options", []),
        ("torch.manual_seed(1)", "shuffle=False", []),
        ("torch.manual_seed(1)", "shuffle=options", []),
        ("torch.manual_seed(1)", "sampler=options", []),
    ],
)
def test_loaders(seed: str, given: str, expected: list[str]) -> None:
    assert codes(f"{HEAD}{seed}\nDataLoader(data, 4, {given})", ["TP955"]) == expected
