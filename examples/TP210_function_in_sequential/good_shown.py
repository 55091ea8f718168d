import torch.nn.functional as F
from torch import nn

try:
    nn.Sequential(nn.Linear(8, 8), F.relu)
except TypeError as error:
    print("a function is no module:", error)
