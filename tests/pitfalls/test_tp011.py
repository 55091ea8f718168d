"""TP011: names, arguments and old signatures, however they are written."""
from __future__ import annotations

import pytest
from support import check


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("from torch.autograd import Variable as V\nV(x)", 1),
        ("import torch\ny = torch.autograd.Variable(x)", 5),
        ("import torch.autograd as ag\ny = ag.Variable(x)", 5),
        ("from torch import autograd\ny = autograd.Variable(x)", 5),
        ("from torch.autograd.variable import Variable", 1),
        ("from torch.nn.utils import weight_norm", 1),
        ("from torch.nn.utils.weight_norm import weight_norm", 1),
        ("import torch.nn.utils as u\nlayer = u.weight_norm(layer)", 9),
        ("import torch\nf = torch.qr\nf(x)", 5),
        ("import torch\n@torch.jit.script\ndef f(x): ...", 2),
        ("from torchvision import models\nm = models.vgg16(True)", 5),
        ("from torchvision import models as M\nbuild = M.resnet50\nm = build(pretrained=False)", 5),
        ("import torchvision\nm = torchvision.models.segmentation.fcn_resnet50(pretrained=p)", 5),
        ("import functools\nfrom torchvision import models\nf = functools.partial(models.alexnet, pretrained=True)", 5),
        ("from torchvision import models\nm = {'a': models.alexnet, 'v': models.vgg16}[n](pretrained=True)", 5),
        ("from torch import nn\nloss = nn.CrossEntropyLoss(weight=w, size_average=False)", 8),
        ("from torch import nn\nloss = nn.MSELoss(False)", 8),
        ("import torch.nn.functional as F\ny = F.cross_entropy(x, t, w, False)", 5),
        ("import torch\nfor p in model.parameters():\n    p.data.add_(-lr, p.grad.data)", 5),
        ("import torch\nx = torch.ones(3)\ny = x.add(2, x)", 5),
        ("import torch\ny = torch.baddbmm(1, x, 1, a, b)", 5),
        ("import torch\ny = torch.meshgrid([a, b])", 5),
        ("import torch\ny = torch.meshgrid(*axes)", 5),
        ("import torch\nx = torch.ones(3)\nm = (x > 1).byte()\ny = x[m]", 5),
        ("import torch\ny = torch.autograd.grad(a, b, only_inputs=True)", 5),
        ("import torch\nm = torch.nn.Linear(2, 2)\nm.register_backward_hook(f)", 1),
        ("import torch\nclass N(torch.nn.Module):\n    def f(self):\n        self.register_backward_hook(g)", 9),
        ("from torchvision import datasets\nd = datasets.FashionMNIST('x')\ny = d.train_labels", 5),
        ("import torch\ny = torch.stft(x, 16, return_complex=False)", 5),
        ("from torch.distributed import reduce_op", 1),
        ("import torch\nd = torch.distributions.Normal(0., 1.)\ny = d.sample_n(3)", 5),
    ],
)  # fmt: skip
def test_uses(text: str, column: int) -> None:
    """Each is found once."""
    found = check(text, select=["TP011"])
    assert [(place, code) for _, place, code in found] == [(column, "TP011")]


@pytest.mark.parametrize(
    "text",
    [
        "from torch.autograd import Function, grad",
        "import torch\nx = torch.linalg.norm(y)\ny.norm()\ntorch.nn.functional.normalize(x)",
        "from torch.nn.utils.parametrizations import weight_norm, spectral_norm",
        "from torchvision import models\nm = models.vgg16(weights='DEFAULT')\nn = models.vgg16(progress=True)",
        "import timm\nimport torch\nm = timm.create_model('vgg16', pretrained=True)",
        "import torch\nfrom mynet import resnet18\nm = resnet18(pretrained=True)",
        "import torch\nx = torch.ones(3)\nx.add_(x)\nx.add_(x, alpha=2)\nx.addcmul_(x, x, value=2)\nx.add(x)",
        "import torch\nmeter.add(1, 2)\nseen.add(a, b)",
        "import torch\nx = torch.addmm(x, a, b)\nx = torch.addmm(x, a, b, beta=2)",
        "import torch\nx = torch.meshgrid(a, b, indexing='ij')\ny = torch.meshgrid(a, b, **kw)",
        "import torch\ndef f(a, b):\n    if torch.meshgrid.__kwdefaults__ is not None:\n"
        "        return torch.meshgrid(a, b, indexing='ij')\n    return torch.meshgrid(a, b)",
        "import numpy as np\nimport torch\nx = np.meshgrid(a, b)\nq = np.linalg.qr(a)",
        "import torch\nx = torch.ones(3)\nm = (x > 1).byte().bool()\ny = x[m]\nz = x[x > 1]",
        "import torch\ni = torch.zeros(3, dtype=torch.long)\ny = x[i]",
        "import torch\nm = torch.nn.Linear(2, 2)\nm.register_full_backward_hook(f)",
        "from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, ReduceLROnPlateau\n"
        "CosineAnnealingWarmRestarts(o, 3).step(0.5)\nReduceLROnPlateau(o).step(loss)",
        "from torch.optim.lr_scheduler import StepLR\nclass S(StepLR):\n    def step(self, epoch): ...\nS(o, 3).step(2)",
        "import torch\ndef f(x: torch.sparse.FloatTensor) -> torch.autograd.Variable: ...",
        "import torch\nfrom torch.nn.init import constant_, normal_",
        "import torch\nimport warnings\nwith warnings.catch_warnings():\n    y = torch.qr(x)",
        "import torch\nimport pytest\nwith pytest.warns(UserWarning):\n    y = torch.qr(x)",
        "import torch\ndef f(x):\n    try:\n        return torch.linalg.qr(x)\n    except Exception:\n        return torch.qr(x)",
        "import torch\ndef f(x: 'LinearOperator | torch.Tensor'):\n    return x.cholesky()",
        "import torch.nn.functional as F\nF.nll_loss(x, y, None, None, reduce=None, size_average=None)",
        "import functools\nfrom torch.cuda.amp import GradScaler",
    ],
)  # fmt: skip
def test_silent(text: str) -> None:
    """The newer names, other libraries, and code that asks before it uses an old one."""
    assert check(text, select=["TP011"]) == []


def test_once_a_name() -> None:
    """The second use of a name is not reported, also after an import of it."""
    text = """
        import torch
        from torch.autograd import Variable
        a = Variable(x)
        b = torch.autograd.Variable(x)
        c = torch.qr(x)
        d = torch.qr(x)
    """
    assert check(text, select=["TP011"]) == [(3, 1, "TP011"), (6, 5, "TP011")]


def test_version_decides() -> None:
    """TorchScript is deprecated since 2.10."""
    text = "import torch\ntorch.jit.script(x)"
    assert check(text, select=["TP011"]) == [(2, 1, "TP011")]
    assert check(text, select=["TP011"], torch_version=(2, 9)) == []


def test_builder_chosen_by_a_helper_in_another_file() -> None:
    """The function that the helper returns is torchvision's."""
    files = {
        "train.py": "from zoo import choose\nnet = choose('small')(pretrained=True)",
        "zoo.py": """
            from torchvision import models

            def choose(size):
                return models.resnet18 if size == "small" else models.resnet50
        """,
    }
    assert check(files, select=["TP011"]) == [(2, 7, "TP011")]


def test_scheduler_of_another_file() -> None:
    """The scheduler is an attribute that the base class sets."""
    files = {
        "train.py": """
            from base import Base

            class Trainer(Base):
                def end(self, epoch):
                    self.scheduler.step(epoch)
        """,
        "base.py": """
            import torch

            class Base:
                def __init__(self, optimizer):
                    self.scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
        """,
    }
    assert check(files, select=["TP011"]) == [(6, 9, "TP011")]
