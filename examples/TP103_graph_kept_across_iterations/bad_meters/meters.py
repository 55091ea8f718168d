class AverageMeter:
    """Keeps the last value and the mean of all."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.last = 0
        self.total = 0
        self.count = 0

    def update(self, value, n=1):
        self.last = value
        self.total += value * n
        self.count += n

    @property
    def mean(self):
        return self.total / max(self.count, 1)


def record(history, name, value):
    history[name].append(value)
