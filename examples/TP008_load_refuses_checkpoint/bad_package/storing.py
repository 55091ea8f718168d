import os
from collections import defaultdict
from datetime import datetime
from pathlib import Path

import torch

FOLDER = Path("runs")


def store(model, step):
    counts = defaultdict(int)
    counts[step] += 1
    torch.save({"weights": model.state_dict(), "counts": counts}, os.path.join("runs", "counts.pt"))


def store_time(model, optimizer, step):
    now = datetime.now()
    torch.save({"weights": model.state_dict(), "step": step, "time": now}, FOLDER / "timed.pt")
