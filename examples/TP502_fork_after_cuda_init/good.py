"""Processes are spawned."""
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import torch
import torch.multiprocessing as mp
from torch import nn


def work(rank, model):
    print(rank, model(torch.randn(8, 16).cuda()).sum().item())  # expect: TP945:23


def main():
    model = nn.Linear(16, 4).cuda()  # expect: TP942:13
    context = mp.get_context("spawn")
    process = context.Process(target=work, args=(0, model))
    process.start()
    mp.spawn(work, args=(model,), nprocs=2)
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        pool.starmap(work, [(1, model)])
    with ProcessPoolExecutor(mp_context=context) as executor:
        executor.submit(work, 2, model)


if __name__ == "__main__":
    main()
