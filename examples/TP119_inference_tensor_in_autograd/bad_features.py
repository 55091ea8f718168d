"""Features of a frozen backbone are fed to a head that is trained."""
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Conv2d(3, 8, 3)
        self.head = nn.Linear(8, 2)

    def forward(self, images):
        with torch.inference_mode():
            features = self.backbone(images).mean((2, 3))
        return self.head(features)  # expect: TP119:16


backbone = nn.Linear(12, 4)


@torch.inference_mode()
def extract(batch):
    hidden = backbone(batch)
    return hidden


def probe(batch, labels):
    head = nn.Linear(4, 2)
    features = extract(batch)
    loss = nn.CrossEntropyLoss()(head(features), labels)  # expect: TP119:34
    loss.backward()
    return head
