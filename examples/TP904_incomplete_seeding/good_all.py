"""Everything that is drawn from is seeded; generators of their own need no global seed."""
import random

import numpy as np
import torch


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def draw(items):
    random.shuffle(items)
    return np.random.choice(items), torch.rand(len(items))
