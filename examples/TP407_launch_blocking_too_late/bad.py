"""The script is to run on the second GPU."""
import os

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # expect: TP407:1
print(device)
