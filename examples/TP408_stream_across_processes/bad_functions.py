"""Streams in queues, pools and arguments."""
from multiprocessing import Pool, Process, Queue

import torch
from torch.multiprocessing import spawn


def copy(rank, stream):
    with torch.cuda.stream(stream):
        return torch.ones(3, device="cuda") * rank


def many(count):
    stream = torch.cuda.Stream()
    spawn(copy, args=(stream,), nprocs=count)  # expect: TP408:5
    Process(target=copy, kwargs={"rank": 0, "stream": stream}).start()  # expect: TP408:5
    with Pool(count) as pool:
        pool.apply_async(copy, (1, stream))  # expect: TP408:9


class Feeder:
    def __init__(self):
        self.queue = Queue()
        self.stream = torch.cuda.Stream()

    def announce(self):
        self.queue.put(("stream", self.stream))  # expect: TP408:9
        self.queue.put(torch.cuda.current_stream())  # expect: TP408:9
