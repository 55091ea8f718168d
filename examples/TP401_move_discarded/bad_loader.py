"""Batches of a loader are tensors."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from tqdm import tqdm

from mydata import Captions, Pairs


class Trainer:
    def __init__(self, model: nn.Module, root: str, device: str) -> None:
        self.model = model.to(device)
        self.device = device
        self.loader = DataLoader(Pairs(root), batch_size=32, shuffle=True, num_workers=4)  # expect: TP953:23
        self.optimizer = torch.optim.Adam(self.model.parameters())

    def epoch(self) -> None:
        for step, (images, labels) in enumerate(tqdm(self.loader)):
            images.to(self.device)  # expect: TP401:13
            labels = labels.to(self.device)
            self.optimizer.zero_grad()
            loss = nn.functional.cross_entropy(self.model(images), labels)
            loss.backward()
            self.optimizer.step()


def describe(model: nn.Module, root: str) -> None:
    loader = DataLoader(Captions(root), batch_size=8, num_workers=2)
    model.eval()
    with torch.no_grad():
        for batch in loader:
            batch["image"].cuda()  # expect: TP401:13
            lengths = batch["length"]
            lengths.cuda()  # expect: TP401:13
            print(model(batch["image"], lengths))
