import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def main():
    dist.init_process_group("nccl")  # expect: TP971:5
    rank = dist.get_rank()
    torch.cuda.set_device(rank)  # expect: TP713:27
    model = nn.Linear(8, 3).to(rank)  # expect: TP713:32
    model = DDP(model, device_ids=[rank])  # expect: TP713:36
    features = torch.randn(4, 8, device="cuda")
    print(model(features).shape)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
