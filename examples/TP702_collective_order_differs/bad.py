import torch
import torch.distributed as dist


def synchronize(weights, total):
    if dist.get_rank() == 0:
        dist.all_reduce(total)
        dist.broadcast(weights, src=0)
    else:
        dist.broadcast(weights, src=0)  # expect: TP702:9
        dist.all_reduce(total)
    return total / dist.get_world_size()


def main():
    dist.init_process_group("gloo")  # expect: TP971:5
    weights, total = torch.zeros(3), torch.ones(1)
    print(synchronize(weights, total).item())


if __name__ == "__main__":
    main()
