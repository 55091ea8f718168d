"""Images and volumes in a script."""
import torch

images = torch.rand(8, 3, 32, 32).to(memory_format=torch.channels_last)
plain = images.contiguous()  # expect: TP304:9
volumes = torch.rand(2, 3, 4, 5, 6).contiguous(memory_format=torch.channels_last_3d)
shifted = (volumes + 1).contiguous()  # expect: TP304:11
made = torch.empty(2, 3, 4, 5, memory_format=torch.channels_last)
copied = made.relu().contiguous()  # expect: TP304:10


def prepare(batch):
    return batch.contiguous(memory_format=torch.preserve_format)  # expect: TP304:12
