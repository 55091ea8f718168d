import torch


def accuracy(output, target, topk=(1, 5)):
    """Top-k accuracy, in percent, for each k."""
    with torch.no_grad():
        count = target.size(0)
        _, pred = output.topk(max(topk), 1, True, True)
        pred = pred.t()
        correct = pred.eq(target.view(1, -1).expand_as(pred))
        result = []
        for k in topk:
            hits = correct[:k].view(-1).float().sum(0)  # expect: TP302:20
            result.append(hits * (100.0 / count))
        return result
