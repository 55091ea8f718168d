from torch import nn


class Segmenter(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Conv2d(3, 16, 3, padding=1)
        self.head = nn.Conv2d(16, 1, 1)

    def forward(self, images):
        return self.head(self.body(images).relu())
