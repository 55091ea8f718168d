import torch
from torchvision.utils import make_grid, save_image


def spectrogram(wave: torch.Tensor) -> torch.Tensor:
    window = torch.hann_window(400)
    parts = torch.stft(wave, 400, 160, window=window)  # expect: TP010:13
    return parts.pow(2).sum(-1)


def energy(wave: torch.Tensor) -> torch.Tensor:
    spectrum = torch.rfft(wave, 1)  # expect: TP010:16
    return spectrum.pow(2).sum(-1) + torch.fft(wave, 1).pow(2).sum(-1)  # expect: TP010:38


def show(samples: torch.Tensor, path: str) -> torch.Tensor:
    save_image(samples, path, nrow=8, normalize=True, range=(-1, 1))  # expect: TP010:5
    return make_grid(  # expect: TP010:12
        samples, normalize=True, range=(-1, 1)
    )
