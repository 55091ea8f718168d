import random

import numpy as np
import torch

torch.manual_seed(0)
rng = np.random.default_rng(0)
dice = random.Random(0)
old = np.random.RandomState(0)

print(rng.permutation(10), dice.random(), old.rand(3), torch.rand(3))
