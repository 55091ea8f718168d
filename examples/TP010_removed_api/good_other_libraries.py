"""The same names, of other libraries and of the program itself."""
import numpy as np
import scipy.linalg
import sympy
import torch
from PIL import Image


class StepLR:
    def __init__(self, optimizer, step, verbose=False):
        self.optimizer, self.step, self.verbose = optimizer, step, verbose


class Spectrum:
    def symeig(self, matrix):
        return torch.linalg.eigh(matrix)

    def stft(self, wave):
        return torch.stft(wave, 400, return_complex=True)


def save_image(samples, path, range):
    low, high = range
    Image.fromarray(samples.clamp(low, high).numpy()).save(path)


def compare(matrix, wave):
    transform = Spectrum()
    values, _ = scipy.linalg.eig(matrix.numpy())
    rank = np.linalg.matrix_rank(matrix.numpy())
    solution = sympy.solve(rank)
    optimizer = torch.optim.SGD([torch.nn.Parameter(matrix)], lr=0.1)
    schedule = StepLR(optimizer, 3, verbose=True)
    save_image(matrix, "matrix.png", range=(0, 1))
    return transform.symeig(matrix), transform.stft(wave), values, solution, schedule
