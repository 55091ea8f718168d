"""The helpers are right by themselves; the calls are not."""
import torch
from comm import gather_scores, load_once


def worker(gpu, count):
    torch.distributed.init_process_group("gloo", rank=gpu, world_size=count)  # expect: TP971:5
    score = float(gpu)
    if gpu == 0:
        data = load_once(gpu, list)  # expect: TP701:16
        print(len(data))
    for round_ in range(3):
        if gpu != 0:
            continue
        print(round_, gather_scores(score))  # expect: TP701:23
    torch.distributed.barrier()


if __name__ == "__main__":
    torch.multiprocessing.spawn(worker, (2,), nprocs=2)
