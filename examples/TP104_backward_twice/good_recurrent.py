"""Hidden states that leave the old graph behind, and one graph for a whole window."""
import torch
import torch.nn.functional as F
from torch import nn


def detached(batches):
    rnn = nn.GRU(4, 8)
    hidden = torch.zeros(1, 1, 8)
    for inputs, targets in batches:
        output, hidden = rnn(inputs, hidden)
        F.mse_loss(output, targets).backward()
        hidden = hidden.detach()


def detached_now_and_then(batches, every=5):
    rnn = nn.GRU(4, 8)
    hidden = torch.zeros(1, 1, 8)
    loss = torch.zeros(())
    for i, (inputs, targets) in enumerate(batches):
        output, hidden = rnn(inputs, hidden)
        loss = loss + F.mse_loss(output, targets)
        if i % every == every - 1:
            loss.backward()
            loss = torch.zeros(())
            hidden = hidden.detach()


def one_graph(windows):
    rnn = nn.GRU(4, 8)
    for window in windows:
        hidden = torch.zeros(1, 1, 8)
        loss = torch.zeros(())
        for inputs, targets in window:
            output, hidden = rnn(inputs, hidden)
            loss = loss + F.mse_loss(output, targets)
        loss.backward()


def detached_in_place(batches):
    rnn, cell = nn.GRU(4, 8), nn.LSTM(4, 8)
    hidden, states = torch.zeros(1, 1, 8), None
    for inputs, targets in batches:
        output, hidden = rnn(inputs, hidden)
        hidden.detach_()
        F.mse_loss(output, targets).backward()
    for inputs, targets in batches:
        output, states = cell(inputs, states)
        for state in states:
            state.detach_()
        F.mse_loss(output, targets).backward()


def fitted(inputs, targets):
    weights = torch.zeros(4, 1, requires_grad=True)
    for _ in range(10):
        loss = F.mse_loss(inputs @ weights, targets)
        loss.backward()
        with torch.no_grad():
            weights -= 0.1 * weights.grad
        weights.grad = None
