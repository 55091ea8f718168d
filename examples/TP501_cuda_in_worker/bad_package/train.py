import torch
from torch.utils.data import DataLoader

from .data import OnGpu

BATCH = 32


def build(images):
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    dataset = OnGpu(images, device)
    return DataLoader(dataset, batch_size=BATCH, shuffle=True, num_workers=4)  # expect: TP501:12
