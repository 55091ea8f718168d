from torch import nn

from .base import ProbabilisticModel


class TextClassifier(ProbabilisticModel):
    def __init__(self, words, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, 64)
        self.fc = nn.Linear(64, classes)

    def scores(self, x):
        return self.fc(self.bag(x))
