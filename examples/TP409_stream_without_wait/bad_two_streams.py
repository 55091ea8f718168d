import torch

first, second = torch.cuda.Stream(), torch.cuda.Stream()
with torch.cuda.stream(first):
    x = torch.ones(8, device="cuda")
with torch.cuda.stream(second):
    y = x + 1  # expect: TP409:9
with torch.cuda.stream(first):
    z = x + 2
