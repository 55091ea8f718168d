"""No workers, workers that are not forked, and workers that know that they are."""
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, get_worker_info


class OnDevice(Dataset):
    def __init__(self, rows, device="cpu", use_gpu=False):
        self.rows = rows
        self.device = device
        self.use_gpu = use_gpu

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = self.rows[index].to(self.device)
        return row.cuda() if self.use_gpu else row


class OnGpu(OnDevice):
    def __getitem__(self, index):
        return self.rows[index].cuda()


class Careful(OnDevice):
    def __getitem__(self, index):
        row = self.rows[index]
        return row.cuda() if get_worker_info() is None else row


class Shaped(OnDevice):
    def __init__(self, rows):
        super().__init__(rows)
        self.table = torch.zeros(len(rows), 8).cuda()  # expect: TP945:22

    def __getitem__(self, index):
        return torch.zeros(self.table.shape[1])


def build(rows, workers):
    x = torch.as_tensor(rows).cuda()
    context = torch.multiprocessing.get_context("forkserver")
    return (
        DataLoader(OnGpu(rows), batch_size=8),
        DataLoader(OnGpu(rows), batch_size=8, num_workers=0),
        DataLoader(OnGpu(rows), batch_size=8, num_workers=workers),
        DataLoader(OnGpu(rows), batch_size=8, num_workers=2, multiprocessing_context="spawn"),
        DataLoader(OnGpu(rows), batch_size=8, num_workers=2, multiprocessing_context=context),
        DataLoader(OnDevice(rows), batch_size=8, num_workers=2),
        DataLoader(Careful(rows), batch_size=8, num_workers=2),
        DataLoader(Shaped(rows), batch_size=8, num_workers=2),
        DataLoader(TensorDataset(x), batch_size=8),
        DataLoader(TensorDataset(x.cpu()), batch_size=8, num_workers=2),
    )
