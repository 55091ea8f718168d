"""TP003 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

CHOICE = "import sys, torch\nfrom torch import nn\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\nnet = nn.Linear(2, 2)\n"


def found(text: str, head: str = CHOICE) -> list[tuple[int, int]]:
    return [(line - 4, column) for line, column, _ in check(head + text, ["TP003"])]


@pytest.mark.parametrize(
    "text, column",
    [
        ("net.load_state_dict(torch.load('a.pt'))", 21),
        ("net.load_state_dict(torch.load('a.pt', weights_only=True)['net'])", 21),
        ("state = torch.load('a.pt')\nnet.load_state_dict(state['net'])", 9),
        ("state = torch.load('a.pt')\nstate = {k[7:]: v for k, v in state.items()}\nnet.load_state_dict(state)", 9),
        ("def read(p): return torch.load(p)\nnet.load_state_dict(read('a.pt'))", 21),
        ("with open('a.pt', 'rb') as f: net.load_state_dict(torch.load(f))", 51),
    ],
)
def test_without(text: str, column: int) -> None:
    [(_, at)] = found(text)
    assert at == column


@pytest.mark.parametrize(
    "text",
    [
        "net.load_state_dict(torch.load('a.pt', map_location=device))",
        "net.load_state_dict(torch.load('a.pt', 'cpu'))",
        "net.load_state_dict(torch.load('a.pt', **options))",
        "if device == 'cuda': net.load_state_dict(torch.load('a.pt'))",
        "data = torch.load('a.pt')\nnet(data['x'])\nnet.load_state_dict(other)",
        "torch.save(net.state_dict(), 'a.pt')\nnet.load_state_dict(torch.load('a.pt'))",
        "from lib import save_model\nsave_model(net, f'{device}_net.pt')\nnet.load_state_dict(torch.load('x/cpu_net.pt'))",
        "def keep(): torch.save(net.state_dict(), 'a.pt')\nkeep()\nnet.load_state_dict(torch.load('x/a.pt'))",
    ],
)
def test_with_or_not_needed(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "choice, expected",
    [
        ("if not torch.cuda.is_available(): sys.exit('no GPU')", []),
        ("if torch.cuda.is_available(): print('there is a GPU')", []),
        ("assert torch.cuda.is_available()", []),
        ("print(torch.cuda.is_available())", []),
        ("device = 'cuda'", []),
        ("if torch.cuda.is_available(): torch.backends.cudnn.benchmark = True", []),
        ("if torch.cuda.is_available(): torch.cuda.manual_seed_all(1)", []),
        ("use_cuda = torch.cuda.is_available()", [(1, 21)]),
        ("if torch.cuda.is_available(): net.cuda()", [(1, 21)]),
        ("def other(): return torch.cuda.is_available()", []),
    ],
)
def test_choice(choice: str, expected: list[tuple[int, int]]) -> None:
    head = f"import sys, torch\nfrom torch import nn\nnet = nn.Linear(2, 2)\n{choice}\n"
    assert found("net.load_state_dict(torch.load('a.pt'))", head) == expected


def test_device_of_another_file() -> None:
    files = {
        "main.py": "import torch\nfrom conf import device\ndef f(net, p):\n    net.load_state_dict(torch.load(p))\n",
        "conf.py": "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n",
    }
    assert check(files, ["TP003"]) == [(4, 25, "TP003")]
    files["conf.py"] = "device = 'cpu'\n"
    assert check(files, ["TP003"]) == []
