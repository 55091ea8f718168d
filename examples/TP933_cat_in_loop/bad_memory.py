import torch


class Collector:
    def __init__(self, width):
        self.rows = torch.empty(0, width)

    def read(self, lines):
        for line in lines:
            row = torch.tensor([float(word) for word in line.split()])
            self.rows = torch.vstack([self.rows, row])  # expect: TP933:25
        return self.rows


def simulate(step, state, count):
    path = state.unsqueeze(0)
    for _ in range(count):
        state = step(state)
        path = torch.cat([path, state.unsqueeze(0)])  # expect: TP933:16
    return path
