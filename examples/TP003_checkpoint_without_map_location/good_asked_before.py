import torch
from torch import nn


def resume(path):
    use_cuda = torch.cuda.is_available()
    model = nn.Linear(10, 2)
    if use_cuda:
        model.cuda().load_state_dict(torch.load(path))
    else:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    return model
