"""TP408 beyond its examples."""
from __future__ import annotations

import pytest
from support import check

HEAD = """\
import torch
import torch.multiprocessing as mp
from multiprocessing import Process
def f(work, unknown, options):
    stream, event = torch.cuda.Stream(), torch.cuda.Event(enable_timing=True)
"""


def found(body: str) -> list[tuple[int, int, str]]:
    return check(HEAD + f"    {body}\n", ["TP408"])


@pytest.mark.parametrize(
    "body",
    [
        "mp.Process(target=work, args=(stream,))",
        "Process(target=work, args=[1, event])",
        "mp.spawn(work, (event,), 2)",
        "mp.get_context('spawn').Process(target=work, args=(stream,))",
        "Process(target=work, args=(torch.cuda.Event(interprocess=False),))",
    ],
)
def test_sent(body: str) -> None:
    assert found(body) == [(6, 5, "TP408")]


@pytest.mark.parametrize(
    "body",
    [
        "Process(target=work, args=(torch.cuda.Event(interprocess=True),))",
        "Process(target=work, args=(torch.cuda.Event(False, False, True),))",
        "Process(target=work, args=(torch.cuda.Event(interprocess=unknown),))",
        "Process(target=work, args=(torch.cuda.Event(**options),))",
        "Process(target=work, args=(unknown,))",
        "unknown.put(stream)",
        "unknown.Process(target=work, args=(stream,))",
        "work(stream)",
    ],
)
def test_not_sent_or_unknown(body: str) -> None:
    assert found(body) == []


def test_threads_in_the_dress_of_processes() -> None:
    text = HEAD + "    from multiprocessing.dummy import Pool\n    Pool(2).map(work, [stream])\n"
    assert check(text, ["TP408"]) == []
