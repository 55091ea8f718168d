"""Variables are set first."""
import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
os.environ.setdefault("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(torch.zeros(3, device=device))
