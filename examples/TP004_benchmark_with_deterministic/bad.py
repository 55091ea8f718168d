"""Experiments that want to be repeatable and leave cuDNN's choice to timing."""
import argparse
import random

import numpy as np
import torch
import torch.backends.cudnn as cudnn
from torch.backends import cudnn as backend


def seed_everything(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
    torch.backends.cudnn.deterministic = True
    torch.backends.cudnn.benchmark = True  # expect: TP004:5


def repeatable(seed: int) -> None:
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True)


def prepare(args) -> None:
    if args.seed is not None:
        torch.manual_seed(args.seed)
        cudnn.deterministic = True
    if torch.cuda.is_available():
        torch.cuda.set_device(args.gpu)
    cudnn.benchmark = True  # expect: TP004:5


class Trainer:
    def __init__(self, seed: int) -> None:
        repeatable(seed)
        backend.enabled, backend.benchmark = True, True  # expect: TP004:26


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--gpu", type=int, default=0)
    prepare(parser.parse_args())
    with torch.backends.cudnn.flags(deterministic=True, benchmark=True):  # expect: TP004:57
        Trainer(0)
