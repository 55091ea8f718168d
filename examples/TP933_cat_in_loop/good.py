"""Collected in a list; or needed in every pass; or made anew."""
import torch


@torch.inference_mode()
def predict(net, batches):
    net.eval()
    outputs = [net(images) for images, _ in batches]
    return torch.cat(outputs)


@torch.inference_mode()
def generate(net, tokens, count):
    net.eval()
    for _ in range(count):
        following = net(tokens)[:, -1].argmax(-1, keepdim=True)
        tokens = torch.cat([tokens, following], dim=1)
    return tokens


def merge(encoder, skips):
    merged = []
    for skip in skips:
        features = encoder(skip)
        features = torch.cat([features, skip], dim=1)
        merged.append(features)
    return merged
