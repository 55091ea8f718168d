import torch
import torch.distributed as dist


def average_on_first_node(value):
    first_node = dist.new_group([0, 1, 2, 3])
    total = torch.tensor([value])
    dist.all_reduce(total)  # expect: TP703:5
    return total.item() / 4


class Gatherer:
    def __init__(self, size):
        rank = dist.get_rank()
        for start in range(0, dist.get_world_size(), size):
            ranks = list(range(start, start + size))
            group = dist.new_group(ranks)
            if rank in ranks:
                self._peers, self.size = group, size

    def gather(self, lengths):
        parts = [torch.zeros_like(lengths) for _ in range(self.size)]
        dist.all_gather(parts, lengths)  # expect: TP703:9
        return torch.stack(parts)
