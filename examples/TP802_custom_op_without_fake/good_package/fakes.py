import torch


def install():
    torch.library.register_fake("tables::sort", lambda table: torch.empty_like(table))
