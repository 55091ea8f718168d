from torch import Tensor, library


class Kernels:
    def __init__(self):
        self.add_one = library.custom_op("mylib::add_one", add_one, mutates_args=("xs",))  # expect: TP803:24
        self.zeros = library.custom_op("mylib::zero_all", mutates_args=[])(zero_all)  # expect: TP803:22


def add_one(xs: list[Tensor], out: Tensor) -> Tensor:
    out += 1
    for x in xs:
        x.add_(1)
    return out  # expect: TP803:12


def zero_all(xs: list[Tensor], step: int) -> None:
    step += 1
    for x in xs:
        x.zero_()


def _fake(*args):
    return None


library.register_fake("mylib::add_one", _fake)
library.register_fake("mylib::zero_all", _fake)
