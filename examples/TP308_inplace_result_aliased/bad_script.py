import torch

scores = torch.randn(4, 10)
best = scores.sigmoid_()  # expect: TP308:8
margin = torch.cat([best, scores], dim=1)
print(margin.shape)

weights = torch.ones(3)
noise = weights.normal_()  # expect: TP308:9
perturbed = weights + 0.1 * noise
print(perturbed)

table = torch.arange(6.0).reshape(2, 3)
flipped = table.transpose_(0, 1)  # expect: TP308:11
if table.sum() > 3:
    print(table @ flipped)
