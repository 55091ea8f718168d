from torch import nn


class Frozen(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone

    def train(self, mode=True):
        super().train(mode)
        self.backbone.eval()
        return self


class Flagged(nn.Module):
    def train(self, is_training: bool = True):
        for child in self.children():
            child.train(is_training)
        return self


class Passing(nn.Module):
    def train(self, *args, **kwargs):
        return super().train(*args, **kwargs)


class Narrow(nn.Module):
    def train(self, freeze_encoder, mode=True):
        super().train(mode)
        return self


class Engine(nn.Module):
    """Its two modes are its own, and both take nothing."""

    def __init__(self, parts):
        super().__init__()
        self.parts = parts

    def train(self):
        for part in self.parts:
            part.train()

    def eval(self):
        for part in self.parts:
            part.eval()


class Trainer:
    def __init__(self, model):
        self.model = model

    def train(self, loader, epochs):
        self.model.train()
        return [self.model(x) for _ in range(epochs) for x in loader]
