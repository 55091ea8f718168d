"""Nothing is seeded, or whether to shuffle is an option."""
import numpy as np
from torch.utils.data import DataLoader


def loaders(train_set, test_set, options):
    np.random.seed(options.seed)
    return DataLoader(train_set, batch_size=64, shuffle=True), DataLoader(test_set, shuffle=options.shuffle)
