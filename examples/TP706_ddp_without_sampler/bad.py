import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset


def main(epochs=3):
    dist.init_process_group("nccl")  # expect: TP971:5
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)

    dataset = TensorDataset(torch.randn(256, 8), torch.randint(0, 3, (256,)))
    loader = DataLoader(dataset, batch_size=32, shuffle=True, num_workers=2)  # expect: TP706:14, TP952:14, TP953:14
    model = DDP(nn.Linear(8, 3).cuda(), device_ids=[local_rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()

    for epoch in range(epochs):
        for features, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(features.cuda()), labels.cuda())
            loss.backward()
            optimizer.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
