"""TP502 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import multiprocessing
import torch
import torch.multiprocessing as mp
def gpu(x): return torch.tensor(x).cuda()
def cpu(x): return x
def calls(x): return gpu(x)
"""


def found(body: str) -> list[tuple[int, int, str]]:
    return check(HEAD + body, ["TP502"])


@pytest.mark.parametrize(
    "body, column",
    [
        ("x = torch.zeros(1).cuda()\nmp.Process(target=gpu, args=(1,)).start()", 1),
        ("torch.cuda.init()\nmultiprocessing.Process(None, calls, args=(1,)).start()", 1),
        ("torch.cuda.is_available()\np = mp.Process(target=gpu)", 5),
        ("m = torch.nn.Linear(1, 1).to('cuda')\np = mp.Process(target=cpu, args=(m,))", 5),
        ("m = torch.nn.Linear(1, 1); m.cuda()\np = mp.Process(target=cpu, kwargs={'x': m})", 5),
        ("x = torch.zeros(1, device='cuda')\nwith mp.Pool(2) as pool: pool.map(gpu, [1])", 6),
        ("x = torch.zeros(1, device='cuda')\npool = multiprocessing.get_context().Pool(); pool.apply_async(gpu, (1,))", 8),
        ("torch.cuda.synchronize()\np = mp.Process(target=lambda: gpu(1))", 5),
    ],
)
def test_forked_after(body: str, column: int) -> None:
    assert found(body) == [(8, column, "TP502")]


@pytest.mark.parametrize(
    "body",
    [
        "mp.Process(target=gpu).start()",
        "mp.Process(target=gpu).start()\ntorch.cuda.init()",
        "torch.cuda.init()\nmp.Process(target=cpu).start()",
        "torch.cuda.init()\nmp.Process(target=unknown).start()",
        "torch.cuda.device_count()\nmp.Process(target=gpu).start()",
        "torch.cuda.init()\nmp.get_context('spawn').Process(target=gpu).start()",
        "torch.cuda.init()\ncontext.Process(target=gpu).start()",
        "torch.cuda.init()\nmp.spawn(gpu)",
        "mp.set_start_method('forkserver')\ntorch.cuda.init()\nmp.Process(target=gpu).start()",
        "import os\nos.environ['PYTORCH_NVML_BASED_CUDA_CHECK'] = '1'\n"
        "torch.cuda.is_available()\nmp.Process(target=gpu).start()",
        "torch.cuda.init()\nthreading.Thread(target=gpu).start()",
        "torch.cuda.init()\nfrom multiprocessing.pool import ThreadPool\nThreadPool(2).map(gpu, [1])",
        "torch.cuda.init()\nfrom multiprocessing.dummy import Pool\nPool(2).map(gpu, [1])",
    ],
)
def test_right_or_unknown(body: str) -> None:
    assert found(body) == []


def test_parent_and_child_in_other_files() -> None:
    files = {
        "main.py": """\
            import multiprocessing as mp
            from lib.work import work
            from lib.setup import device
            if __name__ == "__main__":
                p = mp.Process(target=work, args=(1,))
            """,
        "lib/__init__.py": "",
        "lib/setup.py": """\
            import torch
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            """,
        "lib/work.py": """\
            import torch
            from .setup import device
            def work(x):
                return torch.zeros(x, device=device)
            """,
    }
    assert check("import torch\n" + files["main.py"]) == []
    files["main.py"] = "import torch\n" + "\n".join(line[12:] for line in files["main.py"].splitlines())
    assert check(files) == [(6, 9, "TP502")]


def test_constructor_runs_before_methods() -> None:
    text = HEAD + """\
class Evaluator:
    def __init__(self, paths):
        self.model = torch.nn.Linear(2, 2).cuda()
        self.paths = paths
    def one(self, x): return self.model(x)
    def run(self):
        with mp.Pool(2) as pool:
            return pool.map(self.one, self.paths)
    @staticmethod
    def count(paths):
        return mp.Pool(2).map(cpu, paths)
"""
    assert check(text, ["TP502"]) == [(13, 14, "TP502")]
