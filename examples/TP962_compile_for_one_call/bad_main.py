import torch
from torch import nn


def summarize(net, rows):
    compiled = torch.compile(net)  # expect: TP962:16
    with torch.inference_mode():
        return compiled(rows).mean()


def main():
    net = nn.Linear(8, 2).eval()
    print(summarize(net, torch.randn(4, 8)))


if __name__ == "__main__":
    main()
