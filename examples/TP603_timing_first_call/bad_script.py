import time

import torch
from torch import nn

net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8)).eval()
fast = torch.compile(net)
fast.eval()
x = torch.randn(32, 64)

with torch.no_grad():
    start = time.time()
    net(x)
    print("eager", time.time() - start)

    start = time.time()
    y = fast(x)  # expect: TP603:9
    print("torch.compile", time.time() - start)


def main() -> None:
    compiled = torch.compile(mode="reduce-overhead")(net)
    begin = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    begin.record()
    compiled(x.cuda())  # expect: TP603:5
    end.record()
    torch.cuda.synchronize()
    print(f"{begin.elapsed_time(end):.2f} ms")


if __name__ == "__main__":
    main()
