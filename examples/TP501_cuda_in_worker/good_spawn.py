"""The whole program starts its processes by spawn."""
import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, index):
        return torch.randn(8, device="cuda").sum().item()


if __name__ == "__main__":
    torch.multiprocessing.set_start_method("spawn")
    for batch in DataLoader(Noise(), batch_size=10, num_workers=2):
        print(batch.mean())
