"""Workers make CPU tensors; batches are moved where they are used."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Spectrograms(Dataset):
    def __init__(self, waves, labels):
        self.waves = waves
        self.labels = labels
        self.window = torch.hann_window(256)

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, index):
        spectrum = torch.stft(self.waves[index], 256, window=self.window, return_complex=True).abs()
        return spectrum.to(torch.float16), torch.tensor(self.labels[index])


def train(waves, labels):
    loader = DataLoader(Spectrograms(waves, labels), batch_size=16, shuffle=True, num_workers=4, pin_memory=True)
    model = nn.Sequential(nn.Flatten(), nn.LazyLinear(2)).to(device)
    optimizer = torch.optim.Adam(model.parameters())
    for spectra, targets in loader:
        spectra, targets = spectra.to(device).float(), targets.to(device)  # expect: TP954:28
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(spectra), targets).backward()
        optimizer.step()
