"""The start method is set for the whole program."""
import torch
import torch.multiprocessing as mp


def work(rank):
    torch.zeros(rank + 1).cuda()


if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)
    print(torch.cuda.get_device_name())
    processes = [mp.Process(target=work, args=(rank,)) for rank in range(2)]
    for process in processes:
        process.start()
