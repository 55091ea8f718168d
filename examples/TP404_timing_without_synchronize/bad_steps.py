"""How long do forward and backward take?"""
import time
from datetime import datetime

import torch
from torch import nn


def profile(model, batch, target):
    criterion = nn.MSELoss()
    model = model.cuda()  # expect: TP942:13
    model.train()
    batch, target = batch.cuda(), target.cuda()

    begin = time.monotonic()
    loss = criterion(model(batch), target)
    forward = time.monotonic() - begin  # expect: TP404:15

    begin = datetime.now()
    output = model(batch)
    torch.autograd.backward(output.sum())
    return forward, datetime.now() - begin, loss.item()  # expect: TP404:21
