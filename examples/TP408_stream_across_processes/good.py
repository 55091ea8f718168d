"""What may be sent, and what stays in its process."""
import queue
import threading

import torch
import torch.multiprocessing as mp


def work(rank, event, results):
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        event.wait(stream)
        results.put(rank)


def main(channel):
    results = mp.Queue()
    ready = torch.cuda.Event(interprocess=True)
    mp.Process(target=work, args=(0, ready, results)).start()
    results.put(torch.cuda.Event(interprocess=True).ipc_handle())

    stream = torch.cuda.Stream()
    local = queue.Queue()
    local.put(stream)
    threading.Thread(target=work, args=(1, torch.cuda.Event(), local)).start()
    channel.put(stream)
