import torch

CALLS = 0


@torch.compile
def iterate(x, rounds):
    for _ in range(rounds):
        x = torch.tanh(x)
    return x


def describe(x, label):
    return x * len(label)


fast = torch.compile(describe)


@torch.compile(dynamic=False)
def score(x):
    global CALLS
    CALLS += 1  # expect: TP606:5
    return x.square().sum()


def main():
    x = torch.ones(4)
    for number in range(100):
        iterate(x, number)  # expect: TP606:9
        fast(x, label=f"step {number}")  # expect: TP606:9
        score(torch.ones(number + 1))  # expect: TP606:9


class Decoder:
    def __init__(self, model):
        self.model = torch.compile(model, dynamic=False)

    def decode(self, ids, length):
        for position in range(1, length):
            logits = self.model(ids[:, :position])  # expect: TP606:22
        return logits
