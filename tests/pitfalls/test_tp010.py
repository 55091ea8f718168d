"""TP010: names through imports and aliases, versions, guards, and the table itself."""
from __future__ import annotations

import pytest
from support import check

from flake8_torch_pitfalls import torch_model
from flake8_torch_pitfalls.torch_model.lifetimes import lifetimes


def test_table_keeps_to_its_words() -> None:
    """Every row has the shape that its readers count on."""
    assert len(lifetimes()) > 100
    for row in lifetimes():
        assert row.how in ("warns", "documented", "gone", "raises"), row
        assert (row.removed is not None) == (row.how in ("gone", "raises")), row
        assert row.removed is None or row.deprecated <= row.removed, row
        assert row.when.partition(" ")[0] in ("", "missing", "=", "called", "positional", "uint8"), row
        assert row.instead and not row.instead.endswith(".") and "\n" not in row.instead, row
        assert row.source.startswith("https://"), row


def test_names_are_those_that_expressions_evaluate_to() -> None:
    """A row is found by the public name, and a method by the class of the object."""
    for row in lifetimes():
        assert torch_model.canonical(row.name) == row.name
        assert row.is_method == (torch_model.kind(row.owner) == "class"), row


def test_rows_stand_once() -> None:
    """No two rows are about the same use."""
    keys = [(row.name, row.argument, row.when) for row in lifetimes()]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("import torch\nvalues = torch.symeig(m)", 10),
        ("import torch as t\nsolve = t.solve\nsolve(b, a)", 9),
        ("from torch import nn, lstsq as least\nleast(b, a)", 1),
        ("from torch import *\nvalues = symeig(m)", 10),
        ("import torch\nfunctions = {'eig': torch.eig}", 21),
        ("import torch\nlinalg = torch\nlinalg.rfft(x, 1)", 1),
        ("import torch.utils.ffi", 1),
        ("import torch._six as six", 1),
        ("from torch import _six", 1),
        ("import torch\nqueue = torch._six.queue", 9),
        ("from torch.utils.ffi import create_extension", 1),
        ("from torchvision.models import vgg\nurl = vgg.model_urls['vgg16']", 7),
        ("import torchvision\ntorchvision.models.resnet.model_urls", 1),
        ("import torchvision.transforms as T\nT.RandomAffine(3, fillcolor=0)", 1),
        ("import torch\ntorch.fft(x, 2)", 1),
        ("import torch\ntorch.onnx.export(m, x, 'f', example_outputs=y)", 1),
        ("import torch\ntorch.stft(x, 512, 128, window=w)", 1),
        ("import torch\nx = torch.rand(100)\nx.stft(16)", 1),
        ("import torch\ndef f(x: torch.Tensor):\n    return x.symeig()", 12),
        ("import torch\ndef f(x):\n    return x.btrifact()", 12),
        ("import torch\nfrom torch.utils.data import Sampler\ns = Sampler(data_source=d)", 5),
        ("import torch\nx.masked_fill_(mask=(y > 0).byte(), value=0)", 1),
        ("import torch\nm = torch.ByteTensor([1, 0])\nx[m] = 0", 1),
        ("import torch\nm = y.ne(0).type(torch.ByteTensor)\ntorch.masked_select(x, m)", 1),
    ],
)  # fmt: skip
def test_uses(text: str, column: int) -> None:
    """Each is found once, on the line where an editor would change it."""
    found = check(text, select=["TP010"])
    assert [(place, code) for _, place, code in found] == [(column, "TP010")]


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\nimport torch\nnp.linalg.lstsq(a, b)\nnp.linalg.matrix_rank(a)",
        "import torch\ntorch.linalg.lstsq(a, b)\ntorch.linalg.matrix_rank(a)\ntorch.linalg.eig(a)",
        "import torch\ntorch.fft.fft(x)\ntorch.fft.rfft(x)",
        "from torch.fft import fft\nimport torch\nfft(x)",
        "import torch\nfrom solver import Solver\nSolver().solve(x)\nmodel.solve(x)",
        "import torch\ndef f(x):\n    return x.eig(), x.symeig()",
        "import torch\nclass Net(torch.nn.Module):\n    def symeig(self, x): ...\nNet().symeig(x)",
        "import torch\nfrom tqdm import tqdm\ntqdm(x, verbose=True)",
        "import torch\ntorch.stft(x, 512, return_complex=True)\ntorch.stft(x, 512, **options)",
        "import torch\ntorch.stft(x, 512, 128, 512, w, True, 'reflect', False, True, True)",
        "import torch\nx.masked_fill_(y > 0, 0)\nm = (y > 0).byte()\nx.masked_fill_(m == 1, 0)",
        "import torch\nm = y > 0\nif old:\n    m = m.byte()\nx.masked_fill_(m, 0)",
        "import torch\nimport numpy as np\nm = np.zeros(3, dtype=np.uint8)\nx[m] = 0",
        "import torch\ntry:\n    from torch._six import inf\nexcept:\n    from math import inf",
        "import torch\nif hasattr(torch, 'rfft'):\n    y = torch.rfft(x, 1)",
        "import torch\ny = torch.rfft(x, 1) if torch.__version__ < '1.8' else torch.fft.rfft(x)",
        "import torch\nfrom packaging.version import parse\nNEW = parse(torch.__version__) >= parse('1.9')\n"
        "def f(a):\n    if NEW:\n        return torch.linalg.eigh(a)\n    return torch.symeig(a)",
        "import torch\nfrom compat import TORCH_GE_19\ny = torch.linalg.eigh(a) if TORCH_GE_19 else torch.symeig(a)",
        "import torch\nfrom utils import is_torch_at_least\n"
        "if not is_torch_at_least('1.9'):\n    torch.symeig(a)",
        "import torch\nimport pytest\nwith pytest.raises(RuntimeError):\n    torch.symeig(a)",
        "import torch\ndef f(a, old_torch):\n    if old_torch:\n        return torch.symeig(a)",
    ],
)  # fmt: skip
def test_silent(text: str) -> None:
    """Other libraries, newer names, and code that asks before it uses an old one."""
    assert check(text, select=["TP010"]) == []


def test_once_a_name_but_each_argument() -> None:
    """A name is reported where it is used first, an argument at every call."""
    text = """
        import torch
        from torch.optim.lr_scheduler import StepLR
        a = torch.symeig(x)
        b = torch.symeig(y)
        c = StepLR(o, 3, verbose=True)
        d = StepLR(o, 3, verbose=True)
    """
    assert check(text, select=["TP010"]) == [(4, 5, "TP010"), (6, 5, "TP010"), (7, 5, "TP010")]


def test_version_decides() -> None:
    """What the oldest torch still has is not removed: it may be deprecated."""
    text = "import torch\ntorch.symeig(x)\ntorch.optim.lr_scheduler.StepLR(o, 3, verbose=True)"
    select = ["TP010", "TP011"]
    assert [code for *_, code in check(text, select)] == ["TP010", "TP010"]
    assert [code for *_, code in check(text, select, (2, 6))] == ["TP010", "TP011"]
    assert [code for *_, code in check(text, select, (1, 12))] == ["TP011"]
    assert check(text, select, (1, 8)) == []


def test_torchvision_goes_by_the_torch_it_came_with() -> None:
    """torchvision 0.17, which has no ``functional_tensor``, came with torch 2.2."""
    text = "from torchvision.transforms.functional_tensor import rgb_to_grayscale"
    assert [code for *_, code in check(text)] == ["TP010"]
    assert [code for *_, code in check(text, torch_version=(2, 1))] == ["TP011"]


def test_name_that_another_file_imports() -> None:
    """The import is reported in the file that has it, not where its name is used."""
    files = {
        "train.py": "from compat import symeig, container_abcs\nvalues = symeig(x)\nisinstance(x, container_abcs.Mapping)",
        "compat.py": "from torch import symeig\nfrom torch._six import container_abcs",
    }
    assert check(files) == []
    assert check(dict(reversed(files.items())), select=["TP010"]) == [(1, 1, "TP010"), (2, 1, "TP010")]


def test_mask_kept_in_the_base_class() -> None:
    """The buffer is made in one file and used in another."""
    files = {
        "net.py": """
            import torch
            from base import Masked

            class Net(Masked):
                def forward(self, x):
                    return x.masked_fill(self.mask, 0)
        """,
        "base.py": """
            import torch

            class Masked(torch.nn.Module):
                def __init__(self):
                    super().__init__()
                    self.mask = torch.ones(3).byte()
        """,
    }
    assert check(files, select=["TP010"]) == [(7, 16, "TP010")]
