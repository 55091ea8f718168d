"""A block that gives up the format of its input in the middle of the network."""
import torch
import torch.nn as nn


class Shuffle(nn.Module):
    def __init__(self, groups):
        super().__init__()
        self.groups = groups

    def forward(self, x):
        n, c, h, w = x.shape
        x = x.view(n, self.groups, c // self.groups, h, w).transpose(1, 2).reshape(n, c, h, w)
        return x.contiguous()  # expect: TP304:16


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        self.shuffle = Shuffle(2)

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x))).contiguous()  # expect: TP304:13
        return x + self.shuffle(y.contiguous(memory_format=torch.channels_last))


@torch.inference_mode()
def features(images):
    block = Block(8).to(memory_format=torch.channels_last).eval()
    images = images.to(memory_format=torch.channels_last)
    return block(images)


if __name__ == "__main__":
    print(features(torch.rand(2, 8, 16, 16)).shape)
