"""TP122 grad-mode-has-no-effect in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

PRELUDE = """\
import torch
from contextlib import ExitStack, nullcontext
from torch import nn
from torch.amp import autocast
"""

BAD = {
    "statements": """
        def evaluate(model, x):
            torch.no_grad()  # expect: TP122:5
            torch.inference_mode(True)  # expect: TP122:5
            torch.autocast("cuda", dtype=torch.float16)  # expect: TP122:5
            torch.autograd.detect_anomaly()  # expect: TP122:5
            return model(x)
    """,
    "under other names": """
        from torch import no_grad as frozen
        from torch.cuda.amp import autocast as half
        off = torch.no_grad

        def evaluate(model, x):
            frozen()  # expect: TP122:5
            half()  # expect: TP122:5
            off()  # expect: TP122:5
            autocast("cuda")  # expect: TP122:5
            torch.enable_grad()  # expect: TP122:5
            return model(x)
    """,
    "no parentheses": """
        def evaluate(model, x, fast):
            with torch.no_grad:  # expect: TP122:5
                model(x)
            with torch.inference_mode if fast else torch.no_grad():  # expect: TP122:5
                model(x)
            with open("log") as log, torch.set_grad_enabled:  # expect: TP122:5
                log.write(str(model(x)))

        class Net(nn.Module):
            @autocast  # expect: TP122:6
            def forward(self, x):
                return x
    """,
}

GOOD = {
    "entered": """
        @torch.no_grad()
        def a(model, x):
            with torch.autocast("cuda"), torch.inference_mode():
                return model(x)

        @torch.no_grad
        def b(model, x):
            context = torch.no_grad() if x is None else nullcontext()
            with context:
                model(x)
            with ExitStack() as stack:
                stack.enter_context(torch.no_grad())
                return model(x)

        c = torch.no_grad()(a)
    """,
    "act at once": """
        torch.set_grad_enabled(False)
        torch.autograd.set_detect_anomaly(True)
    """,
    "chosen": """
        def run(model, x, enabled):
            context = torch.no_grad if enabled else nullcontext
            with context():
                return model(x)
            grad = torch.no_grad()
            grad.__enter__()
    """,
    "another library": """
        import paddle

        paddle.no_grad()

        def no_grad():
            print("off")

        no_grad()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = PRELUDE + textwrap.dedent(source)
    assert check(text, ["TP122"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(PRELUDE + textwrap.dedent(source), ["TP122"]) == []
