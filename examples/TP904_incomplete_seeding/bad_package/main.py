from random import sample, shuffle

import numpy as np
import torch

from .seeds import set_seed


def augment(image: torch.Tensor) -> torch.Tensor:
    top = np.random.randint(0, 8)
    return image[..., top:top + 24, :]


def main(files):
    set_seed(11)  # expect: TP904:5
    shuffle(files)
    for name in sample(files, 4):
        yield augment(torch.load(name, weights_only=True))
