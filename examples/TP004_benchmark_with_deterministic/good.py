"""Either speed or repeatability."""
import torch
import torch.backends.cudnn as cudnn


def repeatable(seed: int) -> None:
    torch.manual_seed(seed)
    cudnn.benchmark = True
    if seed is not None:
        cudnn.deterministic = True
        cudnn.benchmark = False


def either(deterministic: bool) -> None:
    if deterministic:
        cudnn.deterministic = True
        cudnn.benchmark = False
    else:
        cudnn.deterministic = False
        cudnn.benchmark = True


def opposite(deterministic: bool) -> None:
    torch.use_deterministic_algorithms(deterministic)
    cudnn.benchmark = not deterministic


def early(args) -> None:
    if args.deterministic:
        torch.use_deterministic_algorithms(True)
        return
    cudnn.benchmark = True


def unrelated(args) -> None:
    if args.seed is not None:
        cudnn.deterministic = True
    if args.fast:
        cudnn.benchmark = True


def fast() -> None:
    cudnn.deterministic = True
    cudnn.deterministic = False
    cudnn.benchmark = True


class Options:
    """Settings of something else that bear the same names."""

    def __init__(self) -> None:
        self.deterministic = True
        self.benchmark = True


if __name__ == "__main__":
    repeatable(0)
    early(Options())
