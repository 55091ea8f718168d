"""A helper that a whole project calls before training."""
import random

import numpy as np
import torch


def seed_everything(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)  # expect: TP903:5
    torch.cuda.manual_seed_all(seed)
