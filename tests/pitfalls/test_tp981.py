"""TP981 beyond its examples."""
from __future__ import annotations

import pytest
from support import codes

TEXT = """\
import torch
import random
@torch.library.custom_op("lib::op", mutates_args=()TAGS)
def op(x: torch.Tensor, g: torch.Generator) -> torch.Tensor:
    return BODY
"""


@pytest.mark.parametrize(
    "tags, body, expected",
    [
        ("", "torch.rand_like(x)", ["TP981"]),
        ("", "torch.nn.functional.dropout(x)", ["TP981"]),
        ("", "x.clone().normal_()", ["TP981"]),
        ("", "x.clone().normal_(generator=g)", []),
        ("", "x * random.random()", []),
        ("", "x.sin()", []),
        (", tags=torch.Tag.nondeterministic_seeded", "torch.rand_like(x)", []),
        (", **options", "torch.rand_like(x)", []),
    ],
)
def test_bodies(tags: str, body: str, expected: list[str]) -> None:
    assert codes(TEXT.replace("TAGS", tags).replace("BODY", body), ["TP981"]) == expected
