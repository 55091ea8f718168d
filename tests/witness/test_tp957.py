"""TP957: a forked process copies the pages of a list as it reads it, not those of an array."""
from __future__ import annotations

import gc
import os
import re
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc and forks")
COUNT = 200_000


def private_kilobytes() -> int:
    """Return how much memory this process has to itself."""
    with open("/proc/self/smaps_rollup", encoding="ascii") as file:
        return int(re.findall(r"Private_Dirty:\s+(\d+)", file.read())[0])


def copied_by_reading(items: object) -> int:
    """Return how many kilobytes a forked process copies that reads each of *items*."""
    gc.collect()
    gc.disable()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        before = private_kilobytes()
        for index in range(COUNT):
            items[index]  # type: ignore[index]
        os.write(write, str(private_kilobytes() - before).encode())
        os._exit(0)
    os.waitpid(child, 0)
    gc.enable()
    os.close(write)
    with os.fdopen(read) as file:
        return int(file.read())


def test_reading_a_list_copies_it() -> None:
    items = [f"folder/picture_{index:08}.png" for index in range(COUNT)]
    array = np.array(items, dtype=np.bytes_)
    listed = copied_by_reading(items)
    assert listed > 8_000
    assert copied_by_reading(array) < listed / 4
