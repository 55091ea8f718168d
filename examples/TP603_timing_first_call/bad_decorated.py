import time

import torch


@torch.compile
def smooth(x: torch.Tensor) -> torch.Tensor:
    return torch.tanh(x) * torch.sigmoid(x)


class Report:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def run(self, x: torch.Tensor) -> None:
        @torch.compile(dynamic=True)
        def scaled(t: torch.Tensor) -> torch.Tensor:
            return t / t.norm()

        started = time.monotonic()
        scaled(x)  # expect: TP603:9
        self.seconds["scaled"] = time.monotonic() - started


def main() -> None:
    x = torch.randn(1024, 1024)
    started = time.perf_counter()
    smooth(x)  # expect: TP603:5
    finished = time.perf_counter()
    print("smooth:", finished - started)


main()
