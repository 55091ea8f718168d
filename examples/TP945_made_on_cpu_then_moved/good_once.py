"""Once, when the module is loaded."""
import torch

device = "cuda" if torch.cuda.is_available() else "cpu"
table = torch.arange(256).to(device)
