import torch
import torch.distributed as dist


def average(gradient):
    dist.all_reduce(gradient, async_op=True)  # expect: TP711:5
    return gradient / dist.get_world_size()


def early(gradient):
    work = dist.all_reduce(gradient, op=dist.ReduceOp.SUM, async_op=True)
    norm = gradient.norm()  # expect: TP711:5
    work.wait()
    return norm


def main():
    dist.init_process_group("gloo")  # expect: TP971:5
    gradient = torch.ones(4)
    print(average(gradient), early(gradient))


if __name__ == "__main__":
    main()
