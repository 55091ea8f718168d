"""Files that are hard to analyse: broken, oddly encoded, huge, deep, circular.

    python tests/hostile.py FOLDER      writes them all

Every one that can hold a program holds TRAINING, so that the analysis has something to do and to find.
"""
from __future__ import annotations

import sys
import textwrap
from pathlib import Path

TRAINING = """\
import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(10, 2)

    def forward(self, x):
        return self.fc(x).relu()


def fit(loader):
    net = Net()
    opt = optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
    return net
"""


def lines(template: str, count: int) -> str:
    """Return *count* copies of *template*, a line or more, each with its number put in."""
    return "".join(template.format(i=i, j=i + 1) for i in range(count))


def ladder(template: str, depth: int) -> str:
    """Return *template*, a block's first line, *depth* times, each inside the one before."""
    rows = [" " * i + template.format(i=i) + "\n" for i in range(depth)]
    return "".join(rows) + " " * depth + "fit([])\n"


def encoded() -> dict[str, bytes]:
    """Return files whose trouble is in their bytes."""
    plain = TRAINING.encode()
    return {
        "bom.py": b"\xef\xbb\xbf" + plain,
        "carriage_returns.py": plain.replace(b"\n", b"\r"),
        "comments_only.py": b"# import torch\n# loss.backward()\n",
        "cookie_latin1.py": b"# -*- coding: latin-1 -*-\nname = '\xe9\xff'\n" + plain,
        "cookie_unknown.py": b"# coding: klingon\n" + plain,
        "cookie_wrong.py": b"# coding: utf-8\nname = '\xe9'\n" + plain,
        "crlf.py": plain.replace(b"\n", b"\r\n"),
        "empty.py": b"",
        "form_feeds.py": plain.replace(b"\n\n\n", b"\n\f\n\f\n") + b"\f",
        "mixed_line_ends.py": plain.replace(b"\n\n", b"\r\n\n"),
        "no_last_line_end.py": plain.rstrip(),
        "nul_at_end.py": plain + b"\0",
        "nul_inside.py": plain.replace(b"loss", b"lo\0ss"),
        "separators.py": 'text = "\x0b\x1c\x85\u2028\u2029"\n'.encode() + plain,
        "tabs.py": plain.replace(b"    ", b"\t"),
        "tabs_and_spaces.py": plain.replace(b"        ", b"\t"),
        "utf16.py": TRAINING.encode("utf-16"),
    }


def worded() -> dict[str, str]:
    """Return files whose trouble is in what they say: bases, names, misplaced statements."""
    endings = {
        "base_is_itself.py": """
            class Own(Own, Net): pass
            class Net(Net): pass
            Net()(Own())
        """,
        "bases_in_a_circle.py": """
            class A(B): pass
            class B(C): pass
            class C(A, Net): pass
            A()(1)
        """,
        "escapes.py": r"""
            net = Net().to("\ud800")
            torch.load("\udcff\0\n%s{}")
        """,
        "misplaced.py": """
            return fit
            break
            continue
            yield net
            await fit([])
            nonlocal net
            super().__init__()
            class Body:
                return 1
                self.fc.forward(x)
                yield
            *rest = fit
            del self.opt, Net
        """,
        "names_rebound.py": """
            torch = torch
            nn = nn.nn
            import torch as nn
            import torch.nn as torch
            del nn
            self = self.self
            def fit(fit=fit):
                global torch
                torch = fit = fit(fit)
                del torch
        """,
        "recursion.py": """
            def ping(net, opt):
                pong(net, opt)
                opt.step()
                return ping(net, opt)
            def pong(net, opt):
                net(1).backward()
                return ping(pong(net, opt), opt)
            class Loop(nn.Module):
                def __init__(self):
                    self.net = Loop()
                def forward(self, x):
                    return self.net(self.forward(self(x)))
            ping(Loop(), optim.SGD(Loop().parameters()))
        """,
        "syntax_error.py": "def (:",
        "unicode_names.py": 'сеть = Net(); print("\U0001f525"); сеть.forward(1); ﬁt = сеть',
        "unterminated.py": "'''",
    }
    return {name: f"{TRAINING}{textwrap.dedent(ending)}\n" for name, ending in endings.items()}


def importing() -> dict[str, str]:
    """Return files whose trouble is in what they import."""
    beginnings = {
        "circle_one.py": """
            from circle_two import Two, train
            class One(Two): pass
            def test(): return train(One())
        """,
        "circle_two.py": """
            from circle_one import *
            from circle_one import One, test
            class Two(One): pass
            def train(net): return test()
        """,
        "directory.py/inside.py": """
            import directory
            from . import inside, again
        """,
        "imports_itself.py": """
            from imports_itself import *
            import imports_itself
            imports_itself.imports_itself.fit(imports_itself.Net())
        """,
        "imports_missing.py": """
            from .gone import Base
            from nowhere.at.all import helper
            import gone.too
            class Late(Base): pass
            helper(Late().to(gone.too.device))
        """,
        "imports_package_star.py": """
            from . import *
            from .. import *
            from .... import up
        """,
        "user_has_torch/program.py": "",
        "user_has_torch/torch.py": "from torch import *",
    }
    return {name: f"{textwrap.dedent(beginning)}\n{TRAINING}" for name, beginning in beginnings.items()}


def large() -> dict[str, str]:
    """Return files whose trouble is their size, or how many ways there are through them."""
    return {
        "assignments_double.py": TRAINING + "a0 = torch.ones(2)\n" + lines("a{j} = a{i} + a{i}\n", 200),
        "base_diamonds.py": TRAINING + "class A0(Net): pass\nclass B0(Net): pass\n"
        + lines("class A{j}(A{i}, B{i}): pass\nclass B{j}(A{i}, B{i}): pass\n", 40)
        + "A40()(torch.ones(2))\n",
        "branches.py": TRAINING + "def run(loss, opt, c):\n"
        + lines("    if c[{i}]:\n        loss.backward()\n    else:\n        opt.step()\n", 400),
        "decorators.py": TRAINING + lines("@torch.no_grad()\n", 500) + "def run(net): return net(1)\n",
        "dict_literal.py": TRAINING + "table = {\n" + lines("    {i}: torch.ones({i}),\n", 10_000) + "}\n",
        "functions_call_each_other.py": TRAINING
        + lines("def f{i}(net, opt):\n    f{j}(net, opt)\n    opt.step()\n    return f0(net, opt)\n", 3_000)
        + "def f3000(net, opt): net(1).backward()\nf0(Net(), optim.SGD(Net().parameters()))\n",
        "long_line.py": TRAINING + "total = [" + lines("torch.ones({i}), ", 10_000) + "]\n",
        "long_module.py": TRAINING + "x, net = torch.ones(10), Net()\n"
        + lines("x = net(x).view(10)\n", 50_000),
        "match_cases.py": TRAINING + "match fit([]):\n" + lines("    case {i}:\n        x = Net()\n", 400),
    }


def deep() -> dict[str, str]:
    """Return files whose trouble is their depth; some of them flake8 itself does not survive."""
    sizes = range(90)
    return {
        "binary_terms.py": TRAINING + "x = " + " + ".join(["torch.ones(2)"] * 3_000) + "\n",
        "call_chain.py": TRAINING + "x = torch.ones(2)" + ".relu()" * 2_000 + "\n",
        "call_chain_short.py": TRAINING + "x = torch.ones(2)" + ".relu()" * 300 + "\n",
        "calls_nested.py": TRAINING + "x = " + "torch.relu(" * 90 + "1" + ")" * 90 + "\n",
        "comprehensions.py": TRAINING + "x = " + "[" * 60 + "Net()" + " for _ in x]" * 60 + "\n",
        "elif_ladder.py": TRAINING + "if x == 0: pass\n" + lines("elif x == {j}: y = fit([])\n", 400),
        "functions_nested.py": TRAINING + ladder("def f{i}(net):", 90),
        "lambdas.py": TRAINING + "x = " + "lambda net: " * 80 + "net.forward(1)\n",
        "loops_nested.py": TRAINING + ladder("for x{i} in range(9):", 60),
        "parentheses.py": TRAINING + "x = " + "(" * 190 + "torch.ones(2)" + ")" * 190 + "\n",
        "subscripts.py": TRAINING + "x = torch.ones(2)" + "[0]" * 900 + "\n",
        "tries_nested.py": TRAINING + "".join(" " * i + "try:\n" for i in sizes) + " " * 90 + "fit([])\n"
        + "".join(" " * i + "finally:\n" + " " * i + " fit([])\n" for i in reversed(sizes)),
        "unary.py": TRAINING + "x = " + "-" * 900 + "torch.ones(2)\n",
        "withs_nested.py": TRAINING + ladder("with torch.no_grad():", 90),
    }


def contents() -> dict[str, bytes]:
    """Return the content of every file by its path: ``deep`` holds those that flake8 may not survive."""
    texts = {
        **{f"shallow/{name}": text for name, text in (worded() | importing()).items()},
        **{f"large/{name}": text for name, text in large().items()},
        **{f"deep/{name}": text for name, text in deep().items()},
    }
    files = {f"shallow/{name}": content for name, content in encoded().items()}
    return files | {name: text.encode() for name, text in texts.items()}


def write(folder: Path) -> None:
    """Write all files to *folder*, and links that lead nowhere or in a circle."""
    for name, content in contents().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (folder / "shallow" / "directory.py" / "again").symlink_to(folder / "shallow")
    (folder / "shallow" / "itself.py").symlink_to("itself.py")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
