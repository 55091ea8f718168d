"""The helper gets a state dictionary, and an object that only looks like a module."""
from helpers import save_checkpoint
from torch import nn


class Vocabulary:
    def __init__(self, words):
        self.words = words

    def state_dict(self):
        return {"words": self.words}


def run():
    net = nn.Linear(8, 2)
    vocabulary = Vocabulary(["a", "b"])
    save_checkpoint({"net": net.state_dict(), "words": vocabulary.state_dict()}, "last.pt")
    save_checkpoint(vocabulary, "words.pt")


run()
