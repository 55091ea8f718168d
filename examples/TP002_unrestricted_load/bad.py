"""Weights that somebody else published are opened with the full unpickler."""
import os

import torch
from torch import nn


def fetch(url, folder):
    path = os.path.join(folder, os.path.basename(url))
    if not os.path.exists(path):
        torch.hub.download_url_to_file(url, path)
    return path


def restore(url, folder, model: nn.Module):
    state = torch.load(fetch(url, folder), map_location="cpu", weights_only=False)  # expect: TP002:64
    model.load_state_dict(state.get("model", state))
    return model


class Resumer:
    weights_only = False

    def __init__(self, path):
        self.path = path

    def epoch(self):
        checkpoint = torch.load(
            self.path,
            map_location="cpu",
            weights_only=False,  # expect: TP002:13
        )
        return checkpoint["epoch"]
