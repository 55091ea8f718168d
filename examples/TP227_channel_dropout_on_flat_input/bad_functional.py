import torch.nn as nn
import torch.nn.functional as F


def head(features, weight, bias, training):
    rows = features.view(features.size(0), -1)
    hidden = F.relu(F.linear(rows, weight, bias))
    return F.dropout2d(hidden, 0.5, training)  # expect: TP227:12


class VolumeHead(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, 8)

    def forward(self, volume):
        flat = volume.reshape(volume.shape[0], -1)
        return F.dropout3d(self.fc(flat), training=self.training)  # expect: TP227:16
