"""Copies to the device, and copies that are waited for."""
import numpy as np
import torch


def move(images, labels, device):
    return images.to(device, non_blocking=True), labels.cuda(non_blocking=True)


def predictions(net, batch):
    scores = net(batch).to("cpu", non_blocking=True)
    torch.cuda.synchronize()
    return np.asarray(scores)


def with_event(net, batch):
    scores = net(batch).to("cpu", non_blocking=True)
    done = torch.cuda.Event()
    done.record()
    done.synchronize()
    return scores.tolist()


def two(boxes, scores):
    boxes = boxes.to("cpu", non_blocking=True)
    scores = scores.cpu()
    return boxes.numpy(), scores.numpy()


def offload(activations):
    kept = activations.to("cpu", non_blocking=True)
    print(kept.shape)
    return kept


def queued(activations, writer):
    kept = activations.to("cpu", non_blocking=True)
    writer.add(kept)
    return kept.numpy()


def pageable(values):
    host = torch.empty(16)
    host.copy_(values, non_blocking=True)
    return host.sum()


def on_the_cpu():
    return torch.ones(3).to("cpu", non_blocking=True).numpy()
