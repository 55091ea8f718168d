"""How fast is a product on the GPU?"""
import time

import torch

a = torch.randn(4096, 4096, device="cuda")
b = torch.randn(4096, 4096, device="cuda")

start = time.time()
for _ in range(100):
    c = torch.matmul(a, b)
print("seconds a product:", (time.time() - start) / 100)  # expect: TP404:30
