import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

MODE = "reduce-overhead"


class Sentences(Dataset):
    def __init__(self, texts):
        self.texts = texts

    def __len__(self):
        return len(self.texts)

    def __getitem__(self, index):
        return torch.tensor(self.texts[index]), index % 2


def collate(samples):
    ids, labels = zip(*samples)
    return pad_sequence(ids, batch_first=True), torch.tensor(labels)


def train(texts):
    model = nn.Sequential(nn.Embedding(100, 16), nn.Linear(16, 2)).cuda()  # expect: TP942:13
    compiled = torch.compile(model, mode=MODE)  # expect: TP604:16
    loader = DataLoader(Sentences(texts), batch_size=8, collate_fn=collate)  # expect: TP956:14
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for ids, labels in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(compiled(ids.cuda()).mean(dim=1), labels.cuda())
        loss.backward()
        optimizer.step()


class Generator:
    def __init__(self, model: nn.Module):
        self.step = torch.compile(model, mode="reduce-overhead")  # expect: TP604:21

    @torch.no_grad()
    def generate(self, ids, length):
        for _ in range(length):
            logits = self.step(ids)
            chosen = logits[:, -1].argmax(dim=-1, keepdim=True)
            ids = torch.cat([ids, chosen], dim=1)
        return ids


def benchmark(model):
    model.compile(mode="max-autotune")  # expect: TP604:5
    for size in range(1, 65):
        model(torch.randn(size, 16, device="cuda"))


benchmark(nn.Linear(16, 16).cuda())
