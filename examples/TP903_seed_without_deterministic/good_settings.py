"""Determinism is spoken of, one way or another."""
import torch


def fix_seed(seed):
    torch.manual_seed(seed)
    torch.cuda.manual_seed_all(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)


def fix_seed_of_convolutions(seed):
    torch.cuda.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
