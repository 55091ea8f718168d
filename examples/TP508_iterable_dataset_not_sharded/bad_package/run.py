import torch

from lines import Lines

loader = torch.utils.data.DataLoader(Lines("train.txt"), batch_size=2, num_workers=2)  # expect: TP508:10
for batch in loader:
    print(batch)
