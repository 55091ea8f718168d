import collections

from torch import nn

from .meters import AverageMeter, record


def train_epoch(model: nn.Module, loader, optimizer):
    criterion = nn.CrossEntropyLoss()
    losses = AverageMeter()
    history = collections.defaultdict(list)
    for inputs, labels in loader:
        loss = criterion(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.update(loss, inputs.size(0))  # expect: TP103:9
        record(history, "loss", loss)  # expect: TP103:9
    return losses.mean, history
