import time

import torch
import torch.distributed as dist


class Overlapped:
    def __init__(self, asynchronous):
        self.pending = []
        self.last = None
        self.asynchronous = asynchronous

    def start(self, tensor):
        self.pending.append(dist.all_reduce(tensor, async_op=True))
        self.last = dist.broadcast(tensor, 0, async_op=True)

    def maybe(self, tensor):
        dist.all_reduce(tensor, async_op=self.asynchronous)

    def finish(self):
        self.last.wait()
        while self.pending:
            self.pending.pop().wait()


def benchmark(tensor):
    start = time.perf_counter()
    for _ in range(10):
        dist.all_reduce(tensor, async_op=True)
    torch.cuda.synchronize()
    return time.perf_counter() - start


def renewed(tensor):
    work = dist.isend(tensor, 1)
    tensor = torch.zeros(4)
    tensor += 1
    work.wait()
    return tensor


def read_while_sent(tensor):
    work = dist.isend(tensor, 1)
    norm = tensor.norm()
    work.wait()
    tensor += 1
    return norm


class Mailbox:
    def isend(self, tensor, peer):
        print(tensor, peer)


def other_library(tensor):
    mailbox = Mailbox()
    mailbox.isend(tensor, 1)
