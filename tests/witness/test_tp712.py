"""TP712: what PyTorch's launchers pass to the program."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import argparse, os
parser = argparse.ArgumentParser()
parser.add_argument({flags}, type=int, default=-1)
print("option", parser.parse_args().local_rank, "environment", os.environ["LOCAL_RANK"])
"""


def launched(folder: Path, module: str, flags: str) -> str:
    """Return what the program prints under the launcher *module*, with what goes to its error stream."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(flags=flags), encoding="utf-8")
    launcher = [sys.executable, "-W", "ignore", "-m", module, "--standalone", "--nproc-per-node=1", str(program)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(launcher, capture_output=True, text=True, env=environment, timeout=120, check=False)
    return done.stdout + done.stderr


def test_launch_passes_the_new_spelling(tmp_path: Path) -> None:
    assert "unrecognized arguments: --local-rank=0" in launched(tmp_path, "torch.distributed.launch", "'--local_rank'")


def test_torchrun_passes_nothing(tmp_path: Path) -> None:
    assert "option -1 environment 0" in launched(tmp_path, "torch.distributed.run", "'--local_rank'")


def test_both_spellings(tmp_path: Path) -> None:
    both = "'--local-rank', '--local_rank'"
    assert "option 0 environment 0" in launched(tmp_path, "torch.distributed.launch", both)
