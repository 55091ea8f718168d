"""Asking whether there is a GPU has started CUDA."""
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def embed(path):
    return encode(torch.load(path, map_location="cpu"))


def encode(rows):
    return rows.to(device).mean(0).cpu()


def warm_up():
    torch.zeros(1, device=device)


def embed_all(paths):
    with Pool(4) as pool:  # expect: TP502:10
        first = pool.map(embed, paths)
    pool = Pool(2, initializer=warm_up)  # expect: TP502:12
    with ProcessPoolExecutor(max_workers=2) as executor:  # expect: TP502:10
        later = [executor.submit(embed, path) for path in paths]
    return first, pool, [one.result() for one in later]
