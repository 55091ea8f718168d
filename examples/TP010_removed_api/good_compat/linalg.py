"""The one place that knows the old names."""
import torch

TORCH_1_9 = tuple(int(part) for part in torch.__version__.split(".")[:2]) >= (1, 9)

if TORCH_1_9:
    eigh = torch.linalg.eigh
else:

    def eigh(matrix):
        return torch.symeig(matrix, eigenvectors=True)
