"""TP1: autograd and the training loop."""
