"""A product on a stream of its own."""
import torch

side = torch.cuda.Stream()
a = torch.empty(1000, 1000, device="cuda").normal_()
with torch.cuda.stream(side):
    b = torch.matmul(a, a)  # expect: TP409:22
print(b.sum())  # expect: TP409:7
