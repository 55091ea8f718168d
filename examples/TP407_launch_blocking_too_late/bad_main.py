"""Options are read after the module has asked for a GPU."""
import argparse
import os

import torch
from torch import nn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def build():
    return nn.Linear(10, 10).to(DEVICE)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu", default="0")
    options = parser.parse_args()
    os.environ["CUDA_VISIBLE_DEVICES"] = options.gpu  # expect: TP407:5
    print(build())


def debug():
    torch.ones(1).cuda()
    os.environ.setdefault("CUDA_LAUNCH_BLOCKING", "1")  # expect: TP407:5
    os.environ["PYTORCH_CUDA_ALLOC_CONF"] = "expandable_segments:True"  # expect: TP407:5


if __name__ == "__main__":
    main()
