"""The model goes to the GPU, then processes are forked that use it."""
import torch
import torch.multiprocessing as mp
from torch import nn


def work(rank, model, results):
    images = torch.randn(8, 16).cuda()  # expect: TP945:14
    results.put((rank, model(images).sum().item()))


def main():
    model = nn.Linear(16, 4).cuda()  # expect: TP942:13
    results = mp.Queue()
    processes = []
    for rank in range(2):
        process = mp.Process(target=work, args=(rank, model, results))  # expect: TP502:19
        process.start()
        processes.append(process)
    for process in processes:
        process.join()


if __name__ == "__main__":
    main()
