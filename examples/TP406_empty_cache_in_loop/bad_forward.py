"""A module that cleans up in its forward, and a prediction in batches."""
import torch
from torch import nn
from torch.cuda import empty_cache as release


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv2d(3, 8, 3, stride=2)
        self.up = nn.ConvTranspose2d(8, 3, 3, stride=2)

    def forward(self, x):
        small = self.down(x)
        if x.is_cuda:
            torch.cuda.empty_cache()  # expect: TP406:13
        return self.up(small)


def predict(net: Pyramid, images, batch_size):
    net.eval()
    outputs = []
    with torch.no_grad():  # expect: TP913:10
        for start in range(0, len(images), batch_size):
            chunk = images[start : start + batch_size].cuda()
            outputs.append(net(chunk).cpu())
            release()  # expect: TP406:13
    return torch.cat(outputs)
