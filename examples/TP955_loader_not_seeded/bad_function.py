import random

import numpy as np
import torch
from torch.utils.data import DataLoader


def seed_all(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def loaders(train_set, test_set, seed):
    seed_all(seed)
    return DataLoader(train_set, 64, True, num_workers=2), DataLoader(test_set, 64, num_workers=2)  # expect: TP955:12
