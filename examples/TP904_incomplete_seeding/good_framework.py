import numpy as np
import torch
from lightning import seed_everything

seed_everything(3)
torch.manual_seed(3)
print(np.random.rand(4), torch.rand(4))
