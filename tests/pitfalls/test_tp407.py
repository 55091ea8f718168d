"""TP407 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = "import os\nimport torch\n"


def found(text: str) -> list[tuple[int, int]]:
    return [(line - 2, column) for line, column, _ in check(HEAD + text, ["TP407"])]


SET = "os.environ['CUDA_VISIBLE_DEVICES'] = '1'\n"


@pytest.mark.parametrize(
    "use",
    [
        "torch.cuda.is_available()",
        "x = torch.zeros(3).cuda()",
        "x = torch.zeros(3, device='cuda')",
        "x = torch.zeros(3).to('cuda:0')",
        "print(torch.cuda.get_device_name(0))",
        "assert torch.cuda.is_available()",
        "with torch.no_grad():\n    x = torch.ones(1).cuda()",
    ],
)
def test_after_a_use(use: str) -> None:
    assert found(f"{use}\n{SET}") == [(use.count("\n") + 2, 1)]


@pytest.mark.parametrize(
    "use",
    [
        "d = torch.device('cuda')",
        "torch.cuda.device_count()",
        "torch.cuda.manual_seed(1)",
        "x = torch.zeros(3).to('cpu')",
        "def f(x):\n    return x.cuda()",
        "if flag:\n    torch.cuda.is_available()",
        "g = lambda x: x.cuda()",
        "config = dict(device='cuda')",
    ],
)
def test_no_use(use: str) -> None:
    assert found(f"flag = 1\n{use}\n{SET}") == []


def test_in_the_test_of_the_branch() -> None:
    assert found(f"if torch.cuda.is_available():\n    {SET}") == [(2, 5)]


def test_a_helper_uses_it_before() -> None:
    text = f"def pick():\n    return 'cuda' if torch.cuda.is_available() else 'cpu'\nd = pick()\n{SET}"
    assert found(text) == [(4, 1)]


def test_the_caller_sets_it_first() -> None:
    text = f"def setup():\n    {SET}\ndef main():\n    setup()\n    print(torch.cuda.is_available())\nmain()\n"
    assert found(text) == []


def test_the_caller_uses_it_first() -> None:
    text = f"def setup():\n    {SET}\ndef main():\n    print(torch.cuda.is_available())\n    setup()\nmain()\n"
    assert found(text) == [(2, 5)]


def test_called_before_the_use() -> None:
    assert found(f"def setup():\n    {SET}\nsetup()\nprint(torch.cuda.is_available())\n") == []


def test_a_use_of_the_script_part_does_not_precede_a_function() -> None:
    text = f"def worker():\n    {SET}\nif __name__ == '__main__':\n    print(torch.cuda.is_available())\n"
    assert found(text) == []


def test_imported_modules() -> None:
    files = {"a.py": f"import os\nimport torch\nimport b\n{SET}", "b.py": "import torch\nx = torch.ones(1).cuda()\n"}
    assert check(files, ["TP407"]) == [(4, 1, "TP407")]
    files["b.py"] = "import torch\ndef f():\n    return torch.ones(1).cuda()\n"
    assert check(files, ["TP407"]) == []
