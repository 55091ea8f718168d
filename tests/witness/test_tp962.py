"""TP962: all of the compiling is done for the first call, and the second needs none."""
from __future__ import annotations

import torch


def test_compiled_at_the_first_call() -> None:
    compiled = []

    def backend(graph, example_inputs):  # type: ignore[no-untyped-def]
        compiled.append(graph)
        return graph.forward

    torch.compiler.reset()
    fast = torch.compile(lambda rows: rows.sin() + 1, backend=backend)
    assert compiled == []
    fast(torch.ones(3))
    assert len(compiled) == 1
    fast(torch.ones(3))
    assert len(compiled) == 1
