from time import perf_counter as now

import torch


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return (q @ k.transpose(-2, -1)).softmax(dim=-1) @ v


def elapsed(function) -> float:
    begin = now()
    function()
    end = now()
    return 1e3 * (end - begin)


def speed(function, *inputs: torch.Tensor) -> float:
    begin = now()
    function(*inputs)
    return now() - begin


def compare(modes: list[str]) -> None:
    q, k, v = (torch.randn(2, 4, 128, 64) for _ in range(3))
    plain = speed(attention, q, k, v)
    for mode in modes:
        faster = torch.compile(attention, mode=mode)
        print(mode, plain / speed(faster, q, k, v))  # expect: TP603:29
    whole = torch.compile(attention, fullgraph=True)
    print("whole", elapsed(lambda: whole(q, k, v)))  # expect: TP603:20
