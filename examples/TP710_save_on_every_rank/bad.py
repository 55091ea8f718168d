import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def save_checkpoint(model, optimizer, epoch, folder):
    path = os.path.join(folder, f"epoch_{epoch}.pt")
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)  # expect: TP710:5


def main(epochs=3):
    dist.init_process_group("gloo")  # expect: TP971:5
    model = DDP(nn.Linear(4, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(epochs):
        loss = model(torch.randn(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
        if epoch % 2 == 0:
            save_checkpoint(model.module, optimizer, epoch, "checkpoints")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
