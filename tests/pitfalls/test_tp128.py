"""TP128 yield-inside-grad-mode in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

BAD = {
    "a value that is sent in": """
        import torch

        def served(model):
            x = None
            with torch.no_grad():
                while True:
                    x = yield model(x)  # expect: TP128:17
    """,
    "a reader that trains in a helper": """
        import torch

        def codes(model, loader):
            with torch.no_grad():
                for x in loader:
                    yield model(x)  # expect: TP128:13

        def step(loss, opt):
            opt.zero_grad()
            loss.backward()
            opt.step()

        def train(model, head, loader, opt):
            for h in codes(model, loader):
                step(head(h).mean(), opt)
    """,
    "handed over": """
        import torch

        def codes(model, loader):
            with torch.inference_mode():
                for x in loader:
                    yield model(x)  # expect: TP128:13

        sources = {"codes": codes}
    """,
}

GOOD = {
    "switched off by argument": """
        import torch

        def codes(model, loader):
            with torch.inference_mode(False):
                for x in loader:
                    yield model(x)
    """,
    "somebody's decorator": """
        import torch
        from elsewhere import isolated

        @isolated
        def codes(model, loader):
            with torch.no_grad():
                for x in loader:
                    yield model(x)
    """,
    "no generator of torch's": """
        import torch
        from elsewhere import no_grad

        def codes(model, loader):
            with no_grad():
                for x in loader:
                    yield model(x)
    """,
    "read without gradients": """
        import torch

        def codes(model, loader):
            with torch.no_grad():
                for x in loader:
                    yield model(x)

        @torch.no_grad()
        def collect(model, loader):
            return [h.mean() for h in codes(model, loader)]
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = textwrap.dedent(source)
    assert check(text) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(source, ["TP128"]) == []
