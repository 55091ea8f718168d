import torch


def is_done(size):
    errors = torch.rand(size, device="cuda")
    worst = errors.max().to("cpu", non_blocking=True)
    return True if worst < 1e-6 else False  # expect: TP405:20


def first(size):
    found = torch.rand(size, device="cuda") > 0.5
    flags = found.to("cpu", non_blocking=True)
    if flags[0]:  # expect: TP405:8
        return 0
    return None if flags is None else size
