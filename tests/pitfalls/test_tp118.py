"""TP118 deprecated-amp in the shapes that programs give it."""
from __future__ import annotations

import textwrap

import pytest
from support import check, marks

BAD = {
    "imported": """
        from torch.cuda.amp import GradScaler, autocast
        scaler = GradScaler(enabled=True)  # expect: TP118:10
        with autocast():  # expect: TP118:6
            pass
    """,
    "dotted": """
        import torch
        import torch.cuda.amp as amp
        from torch.cuda import amp as half
        scaler = torch.cuda.amp.GradScaler()  # expect: TP118:10
        with amp.autocast(dtype=torch.bfloat16), half.autocast():  # expect: TP118:6, TP118:42
            pass
        with torch.cpu.amp.autocast():  # expect: TP118:6
            pass
    """,
    "functions of one's own": """
        import functools
        import torch
        from torch.cuda.amp import custom_bwd, custom_fwd
        from torch.cuda.amp.autocast_mode import autocast

        class Square(torch.autograd.Function):
            @staticmethod
            @custom_fwd  # expect: TP118:6
            def forward(ctx, x):
                return x

            @staticmethod
            @custom_bwd  # expect: TP118:6
            def backward(ctx, g):
                return g

            @custom_fwd(cast_inputs=torch.float32)  # expect: TP118:6
            def other(ctx, x):
                return x

        class Net(torch.nn.Module):
            @autocast(enabled=False)  # expect: TP118:6
            def forward(self, x):
                return x

        half = functools.partial(torch.cuda.amp.autocast, enabled=True)  # expect: TP118:8
    """,
}

GOOD = {
    "new": """
        import torch
        from torch.amp import GradScaler, autocast, custom_fwd
        scaler = GradScaler("cuda")
        with autocast("cuda"), torch.autocast("cpu"):
            pass
    """,
    "compatible imports": """
        try:
            from torch.amp import autocast
        except ImportError:
            from torch.cuda.amp import autocast
        try:
            from torch.cuda.amp import GradScaler
        except ImportError:
            GradScaler = None
        with autocast():
            scaler = GradScaler()
    """,
    "only the old names, but guarded": """
        try:
            from torch.cuda.amp import autocast
        except ImportError:
            pass
        with autocast():
            pass
    """,
    "versions": """
        import torch
        from packaging import version
        if version.parse(torch.__version__) >= version.parse("2.4"):
            scaler = torch.amp.GradScaler("cuda")
        else:
            scaler = torch.cuda.amp.GradScaler()
        context = torch.amp.autocast("cuda") if hasattr(torch.amp, "GradScaler") else torch.cuda.amp.autocast()

        def make(new):
            return torch.amp.GradScaler("cuda") if new else torch.cuda.amp.GradScaler()
    """,
    "no call": """
        import torch

        def step(scaler: torch.cuda.amp.GradScaler, optimizer):
            assert isinstance(scaler, torch.cuda.amp.GradScaler)
            scaler.step(optimizer)
    """,
    "another library": """
        from apex import amp
        from oneflow.cuda.amp import autocast
        with autocast():
            amp.initialize()
    """,
}


@pytest.mark.parametrize("source", BAD.values(), ids=BAD)
def test_reported(source: str) -> None:
    text = textwrap.dedent(source)
    assert check(text, ["TP118"]) == marks(text)


@pytest.mark.parametrize("source", GOOD.values(), ids=GOOD)
def test_silent(source: str) -> None:
    assert check(textwrap.dedent(source), ["TP118"]) == []


def test_older_torch() -> None:
    text = "import torch\nscaler = torch.cuda.amp.GradScaler()\n"
    assert check(text, ["TP118"], (2, 3)) == []
    assert check(text, ["TP118"], (2, 4)) == [(2, 10, "TP118")]


def test_re_exported_by_the_project() -> None:
    files = {
        "a.py": (
            "import torch.cuda.amp\nfrom compat import autocast, GradScaler\n"
            "with autocast():\n    s = GradScaler()\n"
        ),
        "compat.py": (
            "from torch.cuda.amp import GradScaler\n"
            "try:\n    from torch.amp import autocast\nexcept ImportError:\n    from torch.cuda.amp import autocast\n"
        ),
    }
    assert check(files, ["TP118"]) == [(4, 9, "TP118")]
