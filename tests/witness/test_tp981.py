"""TP981: without the tag a graph pass drops a random operator whose result is not used."""
from __future__ import annotations

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx


@pytest.mark.parametrize("name, tags", [("untagged", None), ("tagged", torch.Tag.nondeterministic_seeded)])
def test_dead_code(name: str, tags: torch.Tag | None) -> None:
    @torch.library.custom_op(f"tp981::{name}", mutates_args=(), tags=tags)
    def noise(rows: torch.Tensor) -> torch.Tensor:
        return torch.rand_like(rows)

    @noise.register_fake
    def _(rows: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(rows)

    def program(rows: torch.Tensor) -> torch.Tensor:
        noise(rows)
        return rows + 1

    traced = make_fx(program)(torch.ones(3))
    before = len(traced.graph.nodes)
    traced.graph.eliminate_dead_code()
    assert (len(traced.graph.nodes) == before) is (tags is not None)
