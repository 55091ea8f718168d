# /// script
# dependencies = ["torch==2.13.0", "numpy"]
# ///
import torch

print(torch.ones(2))
