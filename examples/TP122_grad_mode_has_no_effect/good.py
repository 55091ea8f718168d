"""Context managers that are entered, and functions that act at once."""
import contextlib

import torch

torch.autograd.set_detect_anomaly(True)  # expect: TP911:1


@torch.no_grad()  # expect: TP913:2
def predict(model, inputs):
    model.eval()
    return model(inputs)


@torch.inference_mode
def predict_without_parentheses(model, inputs):
    model.eval()
    return model(inputs)


def evaluate(model, batches, half=False):
    model.eval()
    torch.set_grad_enabled(False)
    precision = torch.autocast("cuda") if half else contextlib.nullcontext()
    with precision:
        found = [model(batch) for batch in batches]
    torch.set_grad_enabled(True)
    return found


def embed(model, batches, frozen=True):
    model.eval()
    mode = torch.no_grad if frozen else torch.enable_grad
    with contextlib.ExitStack() as stack:
        stack.enter_context(mode())
        stack.enter_context(torch.autocast("cuda"))
        return [model(batch) for batch in batches]


quiet_predict = torch.no_grad()(predict)
