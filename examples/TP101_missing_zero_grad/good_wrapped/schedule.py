"""An optimizer with a warm-up: its ``step`` clears, too."""


class WarmupOptimizer:
    def __init__(self, optimizer, warmup):
        self.optimizer = optimizer
        self.warmup = warmup
        self.steps = 0

    def step(self):
        self.steps += 1
        for group in self.optimizer.param_groups:
            group["lr"] = group["initial_lr"] * min(1.0, self.steps / self.warmup)
        self.optimizer.step()
        self.optimizer.zero_grad()
