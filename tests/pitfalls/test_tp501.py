"""TP501 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import os
import torch
from torch.utils.data import DataLoader, Dataset
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
class Data(Dataset):
    def __init__(self, x, device="cpu", gpu=False): self.x, self.device, self.gpu = x, device, gpu
    def __len__(self): return len(self.x)
    def __getitem__(self, i):
        {}
"""


def found(body: str, loader: str = "DataLoader(Data(x), num_workers=2)") -> list[tuple[int, int, str]]:
    return check(HEAD.format(body) + loader)


@pytest.mark.parametrize(
    "body",
    [
        "return self.x[i].cuda()",
        "return self.x[i].to('cuda:1')",
        "return self.x[i].to(device, non_blocking=True)",
        "return torch.tensor(self.x[i], device=device)",
        "return torch.load(self.x[i], map_location='cuda')",
        "return torch.cuda.FloatTensor(self.x[i])",
        "return self.x[i].cuda() if torch.cuda.is_available() else self.x[i]",
    ],
)
def test_used(body: str) -> None:
    [(line, _, code)] = found(body)
    assert (line, code) == (9, "TP501")


@pytest.mark.parametrize(
    "body",
    [
        "return self.x[i].cpu()",
        "return self.x[i].to(torch.float32)",
        "return self.x[i].to(self.device)",
        "return self.x[i].cuda() if self.gpu else self.x[i]",
        "return torch.cuda.device_count()",
        "return torch.zeros(3, device='cpu')",
        "return self.x[i].to(self.x.dtype)",
    ],
)
def test_not_used(body: str) -> None:
    assert found(body) == []


@pytest.mark.parametrize(
    "loader",
    [
        "DataLoader(Data(x), num_workers=os.cpu_count() // 2)",
        "n = min(4, os.cpu_count())\nDataLoader(Data(x), num_workers=n)",
        "def f(x, workers=4): return DataLoader(Data(x), num_workers=workers)",
        "def f(x, n): return DataLoader(Data(x), num_workers=n)\nf(1, 3)",
        "options = {'num_workers': 2} if device.type == 'cuda' else {}\nDataLoader(Data(x), **options)",
        "config = {'workers': 2}\nDataLoader(Data(x), num_workers=config['workers'])",
        "DataLoader(Data(x), num_workers=2, multiprocessing_context='fork')",
        "DataLoader(torch.utils.data.Subset(Data(x), [1]), num_workers=2)",
        "a, b = torch.utils.data.random_split(Data(x), [1, 2])\nDataLoader(b, num_workers=2)",
        "DataLoader(Data(x) + Data(x), num_workers=0)\nDataLoader(Data(x), num_workers=2)",
    ],
)
def test_with_workers(loader: str) -> None:
    assert found("return self.x[i].cuda()", loader) == [(9, 16, "TP501")]


@pytest.mark.parametrize(
    "loader",
    [
        "DataLoader(Data(x))",
        "DataLoader(Data(x), num_workers=0)",
        "DataLoader(Data(x), num_workers=n)",
        "DataLoader(Data(x), **options)",
        "DataLoader(Data(x), num_workers=0 if torch.cuda.is_available() else 4)",
        "DataLoader(Data(x), num_workers=2, **options)",
        "DataLoader(Data(x), num_workers=2, multiprocessing_context='spawn')",
        "DataLoader(Data(x), num_workers=2, multiprocessing_context=context)",
        "torch.multiprocessing.set_start_method('spawn')\nDataLoader(Data(x), num_workers=2)",
    ],
)
def test_without_forked_workers(loader: str) -> None:
    assert found("return self.x[i].cuda()", loader) == []


def test_flag_that_is_set() -> None:
    body = "return self.x[i].cuda() if self.gpu else self.x[i]"
    assert found(body, "DataLoader(Data(x, gpu=True), num_workers=2)") == [(9, 16, "TP501")]
    assert found("return self.x[i].to(self.device)", "DataLoader(Data(x, device), num_workers=2)") == [(9, 16, "TP501")]


def test_helpers_and_modules_of_other_files() -> None:
    files = {
        "train.py": """\
            from torch.utils.data import DataLoader
            from parts.data import Data
            from parts.model import collate
            loader = DataLoader(Data([1]), num_workers=2)
            other = DataLoader([1], num_workers=2, collate_fn=collate)
            right = DataLoader(Data([1]))
            """,
        "parts/__init__.py": "",
        "parts/model.py": """\
            import torch
            from torch import nn
            device = torch.device("cuda")
            model = nn.Linear(2, 2).to(device)
            def collate(rows):
                return encode(torch.stack(rows))
            def encode(rows):
                return model(rows)
            """,
        "parts/data.py": """\
            from torch.utils.data import Dataset
            from .model import encode
            class Data(Dataset):
                def __init__(self, x): self.x = x
                def __len__(self): return 3
                def __getitem__(self, i): return encode(self.x)
            """,
    }
    assert check(files) == [(4, 10, "TP501"), (5, 9, "TP501")]
    assert check({"parts/data.py": files["parts/data.py"], **files}) == []
