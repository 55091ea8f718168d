"""TP603 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

TIMED = """\
import time, torch
def f(net, x, flag, xs):
    fast = torch.compile(net)
    {before}
    t = time.perf_counter()
    {call}
    print({shown}, time.perf_counter() - t)
"""


def found(before: str = "pass", call: str = "fast(x)", shown: str = "'speed'") -> list[tuple[int, int, str]]:
    return check(TIMED.format(before=before, call=call, shown=shown), ["TP603"])


@pytest.mark.parametrize("before", ["pass", "net(x)", "fast.eval()", "print(fast.__name__)", "y = x * 2"])
@pytest.mark.parametrize("call", ["fast(x)", "y = fast(x, 2)", "fast(x).sum().backward()"])
def test_first(before: str, call: str) -> None:
    column = 9 if call.startswith("y") else 5
    assert found(before, call) == [(6, column, "TP603")]


@pytest.mark.parametrize(
    "before", ["fast(x)", "for _ in range(3): fast(x)", "run(fast)", "fns = [fast]", "if flag: fast(x)", "g = fast"]
)
def test_called_before(before: str) -> None:
    assert found(before) == []


@pytest.mark.parametrize("call", ["for x in xs: fast(x)", "y = [fast(x) for x in xs]", "fast.encode(x)", "g = lambda: fast(x)"])
def test_not_one_call(call: str) -> None:
    assert found(call=call) == []


@pytest.mark.parametrize(
    "shown", ["'compile time'", "'compilation took'", "f'first run {flag}'", "'cold start'", "flag.warmup"]
)
def test_on_purpose(shown: str) -> None:
    assert found(shown=shown) == []


@pytest.mark.parametrize("shown", ["'compiled'", "'torch.compile'", "'compiled time'", "f'{flag}: '"])
def test_label_of_what_is_compiled(shown: str) -> None:
    assert found(shown=shown) == [(6, 5, "TP603")]


def test_function_that_is_called_again_and_again() -> None:
    text = """\
        import time, torch
        fast = torch.compile(torch.sin)
        def f(x):
            t = time.time()
            fast(x)
            print(time.time() - t)
        for x in xs:
            f(x)
        """
    assert check(text) == []
    assert check(text.replace("for x in xs:\n            f(x)", "f(xs)"), ["TP603"]) == [(5, 5, "TP603")]


def test_re_compile_is_none() -> None:
    text = "import re, time\nfast = re.compile('torch')\nt = time.time()\nfast(x)\nprint(time.time() - t)\n"
    assert check(text) == []
