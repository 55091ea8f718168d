"""A worker is to wait for the event of its parent."""
import torch
import torch.multiprocessing as mp


def work(event, queue):
    event.wait()
    queue.put(torch.ones(3))


if __name__ == "__main__":
    context = mp.get_context("spawn")
    results = context.Queue()
    ready = torch.cuda.Event()
    worker = context.Process(target=work, args=(ready, results))  # expect: TP408:14
    worker.start()
