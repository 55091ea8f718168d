import torch


def clear(engine, options):
    engine.zero_grad(set_to_none=True)
    torch.optim.SGD(engine.parameters(), lr=1.0).zero_grad(**options)
