from torch import nn


class EarlyStopping:
    def __init__(self, patience=5):
        self.patience = patience
        self.counter = 0
        self.best_score = None
        self.best_state = None

    def step(self, score, model: nn.Module):
        if self.best_score is None or score > self.best_score:
            self.best_score = score
            self.best_state = model.state_dict()  # expect: TP007:31
            self.counter = 0
        else:
            self.counter += 1
        return self.counter >= self.patience

    def restore(self, model: nn.Module):
        model.load_state_dict(self.best_state)
