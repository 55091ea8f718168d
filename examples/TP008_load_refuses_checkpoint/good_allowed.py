import argparse

import torch


def save(model, args: argparse.Namespace):
    torch.save({"model": model.state_dict(), "args": args}, "allowed.pt")


def load(model):
    with torch.serialization.safe_globals([argparse.Namespace]):
        state = torch.load("allowed.pt")
    model.load_state_dict(state["model"])
    return state["args"].width
