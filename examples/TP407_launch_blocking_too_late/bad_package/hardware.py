"""What the machine has."""
import torch

GPU = torch.cuda.is_available()


def device():
    return torch.device("cuda" if GPU else "cpu")
