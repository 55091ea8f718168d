import torch
from torch import nn


class Service:
    def __init__(self):
        self.net = nn.Linear(8, 2).to(torch.device("cuda:0"))  # expect: TP942:20
        self.net.eval()

    @torch.inference_mode()
    def answer(self, rows):
        return self.net(rows.to("cuda:0")).argmax(1)
