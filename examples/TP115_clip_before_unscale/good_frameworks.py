"""Others that scale and unscale: Accelerate does it in its own methods, apex keeps master gradients."""
import torch.nn.functional as F
from accelerate import Accelerator
from apex import amp
from torch.nn.utils import clip_grad_norm_


def train_with_accelerate(model, optimizer, batches):
    accelerator = Accelerator(mixed_precision="fp16")
    model, optimizer, batches = accelerator.prepare(model, optimizer, batches)
    for inputs, targets in batches:
        accelerator.backward(F.mse_loss(model(inputs), targets))
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()


def train_with_apex(model, optimizer, batches):
    model, optimizer = amp.initialize(model, optimizer, opt_level="O1")
    for inputs, targets in batches:
        optimizer.zero_grad()
        with amp.scale_loss(F.mse_loss(model(inputs), targets), optimizer) as scaled:
            scaled.backward()
        clip_grad_norm_(amp.master_params(optimizer), 1.0)
        optimizer.step()
