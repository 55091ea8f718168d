from torch import nn


class Frozen(nn.Module):
    def __init__(self, backbone: nn.Module, is_train=True):
        super().__init__()
        self.is_train = is_train
        self.backbone = backbone
        self.backbone.train = stay
        self.dropout = nn.Dropout()

    def forward(self, x):
        return self.dropout(self.backbone(x))


def stay(mode=True):
    return mode


class Phased(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def train(self, phase="train"):
        super().train(phase == "train")
        self.training = phase == "train"
        return self

    def eval(self, quiet=False):
        return self.train("eval")

    def forward(self, x):
        return self.layer(x)


class Tokenizer:
    def train(self, text):
        self.train = text


def use(net: nn.Module):
    phased = Phased()
    phased.train("eval")
    phased.eval(True)
    Tokenizer().train("text")
    dropout = nn.Dropout()
    dropout.training = False
    for module in net.modules():
        module.training = False
    stack = nn.Sequential(phased, dropout)
    stack.eval()
    stack.training = False
    nn.Module.train(stack, True)
    return phased, dropout
