import sys

import torch

from .nets import Regressor


def load(path):
    model = Regressor()
    model.load_state_dict(torch.load(path))
    return model


def main():
    model = load(sys.argv[1])
    rows = torch.load(sys.argv[2])
    with torch.no_grad():  # expect: TP913:10
        for row in rows:
            print(model(row).item())  # expect: TP201:19


if __name__ == "__main__":
    main()
