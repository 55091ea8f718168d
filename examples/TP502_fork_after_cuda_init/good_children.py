"""CUDA in the children only, or on the CPU in the children, or after them, or under a flag."""
import argparse
from multiprocessing import Pool, Process

import torch
from torch import nn


def count(path):
    with open(path) as lines:
        return sum(1 for _ in lines)


def on_gpu(rank):
    torch.cuda.set_device(rank)
    print(torch.zeros(3, device="cuda"))


def maybe_on_gpu(rank, use_cuda):
    x = torch.zeros(3)
    if use_cuda:
        x = x.cuda()
    print(rank, x)


def only_children():
    processes = [Process(target=on_gpu, args=(rank,)) for rank in range(torch.cuda.device_count())]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return nn.Linear(2, 2).cuda()


def children_on_cpu(paths, job):
    model = nn.Linear(2, 2).cuda()
    with Pool(4) as pool:
        lengths = pool.map(count, paths)
        others = pool.map(job, paths)
    return model(torch.tensor(lengths[:2]).float().cuda()), others


def under_a_flag():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuda", action="store_true")
    args = parser.parse_args()
    print(torch.cuda.is_available())
    Process(target=maybe_on_gpu, args=(0, args.cuda)).start()
