"""Objects whose own ``to`` works in place, and objects of which nothing is known."""
import lightning
import torch
import torchmetrics
from torch.utils.data import DataLoader
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader as GraphLoader
from transformers import AutoTokenizer


class Token:
    def __init__(self, embedding: torch.Tensor) -> None:
        self.embedding = embedding

    def to(self, device) -> None:
        self.embedding = self.embedding.to(device)


class Marked(torch.Tensor):
    def to(self, *args, **kwargs):
        self.mark = args
        return self


def encode(texts, model, device):
    tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")
    encoded = tokenizer(texts, return_tensors="pt")
    encoded.to(device)
    return model(**encoded)


def embed(token: Token, mark: Marked, device) -> torch.Tensor:
    token.to(device)
    mark.to(device)
    return token.embedding + mark


def graphs(dataset, graph: Data, model, device):
    graph.to(device)
    print(model(graph))
    for batch in GraphLoader(dataset, batch_size=4):
        batch.to(device)
        print(model(batch))


def collated(dataset, collate, model, device):
    for batch in DataLoader(dataset, batch_size=4, collate_fn=collate, num_workers=2):
        batch.to(device)
        print(model(batch))


def metric(device) -> torchmetrics.Accuracy:
    accuracy = torchmetrics.Accuracy(task="binary")
    accuracy.to(device)
    return accuracy


class Lit(lightning.LightningModule):
    def setup(self, stage=None):
        self.to(torch.float32)
        self.cuda()


def unknown(thing, things, device):
    thing.to(device)
    thing.half()
    for one in things:
        one.to(device)
    return thing, things
