import torch
from torch.nn import BCEWithLogitsLoss


class Trainer:
    def __init__(self, model, optimizer, weights):
        self.model = model
        self.optimizer = optimizer
        self.criterion = BCEWithLogitsLoss(pos_weight=torch.tensor(weights))

    def train(self, loader, epochs):
        for _ in range(epochs):
            self.model.train()
            for features, labels in loader:
                outputs = self.model(features)
                outputs = torch.sigmoid(outputs).squeeze(-1)  # expect: TP213:27
                loss = self.criterion(outputs, labels.float())
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
