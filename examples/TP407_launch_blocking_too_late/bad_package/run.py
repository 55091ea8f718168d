"""The import alone starts CUDA."""
import os

import torch
from .hardware import device

os.environ["CUDA_VISIBLE_DEVICES"] = "2"  # expect: TP407:1
print(torch.zeros(3, device=device()))
