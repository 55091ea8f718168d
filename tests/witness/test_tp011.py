"""Every row of the table that says "warns", called on the installed torch and torchvision; "documented", read there."""
import importlib
import inspect
import warnings

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from flake8_torch_pitfalls.settings import NEWEST_TORCH
from flake8_torch_pitfalls.torch_model.lifetimes import lifetimes
from torchvision_witness import torchvision

DEPRECATED = [row for row in lifetimes() if row.is_deprecated(NEWEST_TORCH)]
WARNS = [row for row in DEPRECATED if row.how == "warns"]
DOCUMENTED = [row for row in DEPRECATED if row.how == "documented"]

MATRIX = torch.eye(3)
BATCH = MATRIX[None]
BYTES = torch.ones(3, dtype=torch.uint8)
WEIGHT = nn.Parameter(torch.ones(2))


def layer():
    """Return a small module."""
    return nn.Linear(2, 2)


def schedule():
    """Return a scheduler."""
    return torch.optim.lr_scheduler.StepLR(torch.optim.SGD([WEIGHT], lr=0.1), 3)


def plateau():
    """Return a scheduler that watches a metric."""
    return torch.optim.lr_scheduler.ReduceLROnPlateau(torch.optim.SGD([WEIGHT], lr=0.1))


def digits():
    """Return a dataset without its files."""
    dataset = torchvision.datasets.MNIST.__new__(torchvision.datasets.MNIST)
    dataset.data = dataset.targets = MATRIX
    return dataset


def imported_anew(name):
    """Import the module *name* as if for the first time."""
    import sys

    for loaded in [each for each in sys.modules if each == name or each.startswith(name + ".")]:
        del sys.modules[loaded]
    importlib.import_module(name)


CALLS = {
    "torch.qr": lambda: torch.qr(MATRIX),
    "torch.cholesky": lambda: torch.cholesky(MATRIX),
    "torch.lu": lambda: torch.lu(MATRIX),
    "torch.lu_solve": lambda: torch.lu_solve(MATRIX, *torch.linalg.lu_factor(MATRIX)),
    "torch.triangular_solve": lambda: torch.triangular_solve(MATRIX, MATRIX),
    "torch.Tensor.qr": lambda: MATRIX.qr(),
    "torch.Tensor.cholesky": lambda: MATRIX.cholesky(),
    "torch.Tensor.lu": lambda: MATRIX.lu(),
    "torch.Tensor.lu_solve": lambda: MATRIX.lu_solve(*torch.linalg.lu_factor(MATRIX)),
    "torch.Tensor.triangular_solve": lambda: MATRIX.triangular_solve(MATRIX),
    "torch.chain_matmul": lambda: torch.chain_matmul(MATRIX, MATRIX),
    "torch.range": lambda: torch.range(0, 3),
    "torch.stft return_complex": lambda: torch.stft(torch.ones(99), 16, window=torch.ones(16), return_complex=False),
    "torch.Tensor.stft return_complex": lambda: torch.ones(99).stft(16, window=torch.ones(16), return_complex=False),
    "torch.meshgrid indexing": lambda: torch.meshgrid(MATRIX[0], MATRIX[0]),
    "torch.cross dim": lambda: torch.cross(MATRIX, MATRIX),
    "torch.Tensor.cross dim": lambda: MATRIX.cross(MATRIX),
    "torch.set_default_tensor_type": lambda: torch.set_default_tensor_type(torch.FloatTensor),
    "torch.Tensor.volatile": lambda: MATRIX.volatile,
    "torch.autograd.Variable volatile": lambda: torch.autograd.Variable(MATRIX, volatile=True),
    "torch.Tensor.resize": lambda: torch.ones(3).resize(3),
    "torch.Tensor.resize_as": lambda: torch.ones(3).resize_as(torch.ones(3)),
    "torch.Tensor.storage": lambda: MATRIX.storage(),
    "torch.autograd.backward grad_variables": lambda: torch.autograd.backward(WEIGHT * 2, grad_variables=[WEIGHT]),
    "torch.Tensor.add": lambda: MATRIX.add(1, MATRIX),
    "torch.Tensor.add_": lambda: torch.ones(3).add_(1, torch.ones(3)),
    "torch.Tensor.sub": lambda: MATRIX.sub(1, MATRIX),
    "torch.Tensor.sub_": lambda: torch.ones(3).sub_(1, torch.ones(3)),
    "torch.Tensor.addcmul": lambda: MATRIX.addcmul(1, MATRIX, MATRIX),
    "torch.Tensor.addcmul_": lambda: torch.ones(3).addcmul_(1, torch.ones(3), torch.ones(3)),
    "torch.Tensor.addcdiv": lambda: MATRIX.addcdiv(1, MATRIX, MATRIX + 1),
    "torch.Tensor.addcdiv_": lambda: torch.ones(3).addcdiv_(1, torch.ones(3), torch.ones(3)),
    "torch.add": lambda: torch.add(MATRIX, 1, MATRIX),
    "torch.sub": lambda: torch.sub(MATRIX, 1, MATRIX),
    "torch.addcmul": lambda: torch.addcmul(MATRIX, 1, MATRIX, MATRIX),
    "torch.addcdiv": lambda: torch.addcdiv(MATRIX, 1, MATRIX, MATRIX + 1),
    "torch.addmm": lambda: torch.addmm(1, MATRIX, MATRIX, MATRIX),
    "torch.addmv": lambda: torch.addmv(1, MATRIX[0], MATRIX, MATRIX[0]),
    "torch.addr": lambda: torch.addr(1, MATRIX, MATRIX[0], MATRIX[0]),
    "torch.addbmm": lambda: torch.addbmm(1, MATRIX, BATCH, BATCH),
    "torch.baddbmm": lambda: torch.baddbmm(1, BATCH, BATCH, BATCH),
    "torch.Tensor.addmm": lambda: MATRIX.addmm(1, MATRIX, MATRIX),
    "torch.Tensor.addmv": lambda: MATRIX[0].addmv(1, MATRIX, MATRIX[0]),
    "torch.Tensor.addr": lambda: MATRIX.addr(1, MATRIX[0], MATRIX[0]),
    "torch.Tensor.addbmm": lambda: MATRIX.addbmm(1, BATCH, BATCH),
    "torch.Tensor.baddbmm": lambda: BATCH.baddbmm(1, BATCH, BATCH),
    "torch.Tensor.addmm_": lambda: torch.eye(3).addmm_(1, MATRIX, MATRIX),
    "torch.Tensor.addmv_": lambda: torch.ones(3).addmv_(1, MATRIX, MATRIX[0]),
    "torch.Tensor.addr_": lambda: torch.eye(3).addr_(1, MATRIX[0], MATRIX[0]),
    "torch.Tensor.addbmm_": lambda: torch.eye(3).addbmm_(1, BATCH, BATCH),
    "torch.Tensor.baddbmm_": lambda: torch.eye(3)[None].baddbmm_(1, BATCH, BATCH),
    "torch.get_autocast_gpu_dtype": lambda: torch.get_autocast_gpu_dtype(),
    "torch.set_autocast_gpu_dtype": lambda: torch.set_autocast_gpu_dtype(torch.float16),
    "torch.is_autocast_cpu_enabled": lambda: torch.is_autocast_cpu_enabled(),
    "torch.get_autocast_cpu_dtype": lambda: torch.get_autocast_cpu_dtype(),
    "torch.set_autocast_cpu_enabled": lambda: torch.set_autocast_cpu_enabled(False),
    "torch.set_autocast_cpu_dtype": lambda: torch.set_autocast_cpu_dtype(torch.bfloat16),
    "torch.is_autocast_xla_enabled": lambda: torch.is_autocast_xla_enabled(),
    "torch.nn.init.constant": lambda: nn.init.constant(torch.ones(2, 2), 0),
    "torch.nn.init.dirac": lambda: nn.init.dirac(torch.ones(3, 3, 3)),
    "torch.nn.init.sparse": lambda: nn.init.sparse(torch.ones(2, 2), 0.5),
    "torch.nn.utils.clip_grad_norm": lambda: nn.utils.clip_grad_norm([WEIGHT], 1.0),
    "torch.nn.utils.weight_norm": lambda: nn.utils.weight_norm(layer()),
    "torch.nn.utils.stateless.functional_call": lambda: nn.utils.stateless.functional_call(layer(), {}, MATRIX[:, :2]),
    "torch.nn.NLLLoss2d": lambda: nn.NLLLoss2d(),
    "torch.nn.Container": lambda: nn.Container(),
    "torch.nn.functional.upsample": lambda: F.upsample(BATCH, scale_factor=2),
    "torch.nn.functional.upsample_nearest": lambda: F.upsample_nearest(BATCH[None], scale_factor=2),
    "torch.nn.functional.upsample_bilinear": lambda: F.upsample_bilinear(BATCH[None], scale_factor=2),
    "torch.nn.Hardtanh min_value": lambda: nn.Hardtanh(min_value=0),
    "torch.nn.Hardtanh max_value": lambda: nn.Hardtanh(max_value=2),
    "torch.nn.parallel.DistributedDataParallelCPU": lambda: nn.parallel.DistributedDataParallelCPU(layer()),
    "torch.nn.parallel.scatter_gather.is_namedtuple": lambda: nn.parallel.scatter_gather.is_namedtuple((1,)),
    "torch.backends.cuda.sdp_kernel": lambda: torch.backends.cuda.sdp_kernel(),
    "torch.optim.lr_scheduler.LRScheduler.step epoch": lambda: schedule().step(3),
    "torch.optim.lr_scheduler.ReduceLROnPlateau.step epoch": lambda: plateau().step(1.0, 3),
    "torch.jit.script": lambda: torch.jit.script(layer()),
    "torch.jit.trace": lambda: torch.jit.trace(layer(), torch.ones(1, 2)),
    "torch.jit.trace_module": lambda: torch.jit.trace_module(layer(), {"forward": torch.ones(1, 2)}),
    "torch.jit.save": lambda: torch.jit.save(torch.jit.script(layer()), "/nowhere/at/all.pt"),
    "torch.jit.load": lambda: torch.jit.load("/nowhere/at/all.pt"),
    "torch.jit.freeze": lambda: torch.jit.freeze(torch.jit.script(layer()).eval()),
    "torch.jit.optimize_for_inference": lambda: torch.jit.optimize_for_inference(torch.jit.script(layer()).eval()),
    "torch.jit.fork": lambda: torch.jit.fork(lambda: 1),
    "torch.jit.wait": lambda: torch.jit.wait(torch.jit.fork(lambda: 1)),
    "torch.jit.script_method": lambda: torch.jit.script_method(layer().forward),
    "torch.jit.interface": lambda: torch.jit.interface(object),
    "torch.jit.set_fusion_strategy": lambda: torch.jit.set_fusion_strategy([("STATIC", 3)]),
    "torch.jit.ignore drop_on_export": lambda: torch.jit.ignore(drop_on_export=True),
    "torch.cuda.memory_cached": lambda: torch.cuda.memory_cached(),
    "torch.cuda.max_memory_cached": lambda: torch.cuda.max_memory_cached(),
    "torch.cuda.reset_max_memory_allocated": lambda: torch.cuda.reset_max_memory_allocated(),
    "torch.cuda.reset_max_memory_cached": lambda: torch.cuda.reset_max_memory_cached(),
    "torch.accelerator.current_device_idx": lambda: torch.accelerator.current_device_idx(),
    "torch.accelerator.set_device_idx": lambda: torch.accelerator.set_device_idx(0),
    "torch.autograd.profiler.profile use_cuda": lambda: torch.autograd.profiler.profile(use_cuda=True),
    "torch.profiler.profile use_cuda": lambda: torch.profiler.profile(use_cuda=True),
    "torch.testing.assert_allclose": lambda: torch.testing.assert_allclose(MATRIX, MATRIX),
    "torch.library.impl_abstract": lambda: torch.library.impl_abstract("aten::nothing"),
    "torch.ao.quantization.quantize": lambda: torch.ao.quantization.quantize(layer(), lambda model: None, ()),
    "torch.ao.quantization.quantize_dynamic": lambda: torch.ao.quantization.quantize_dynamic(layer()),
    "torch.ao.quantization.quantize_qat": lambda: torch.ao.quantization.quantize_qat(layer(), lambda model: None, ()),
    "torch.ao.quantization.prepare": lambda: torch.ao.quantization.prepare(nn.Sequential(layer())),
    "torch.ao.quantization.prepare_qat": lambda: torch.ao.quantization.prepare_qat(nn.Sequential(layer())),
    "torch.ao.quantization.convert": lambda: torch.ao.quantization.convert(nn.Sequential(layer())),
    "torch.ao.quantization.QConfigDynamic": lambda: torch.ao.quantization.QConfigDynamic(),
    "torch.ao.quantization.get_default_qconfig_dict": lambda: torch.ao.quantization.get_default_qconfig_dict(),
    "torch.ao.quantization.get_default_qat_qconfig_dict": lambda: torch.ao.quantization.get_default_qat_qconfig_dict(),
    "torch.distributed.reduce_op": lambda: torch.distributed.reduce_op.SUM,
    "torch.distributed.all_gather_into_tensor": lambda: torch.distributed.all_gather_into_tensor(MATRIX, MATRIX),
    "torch.distributed.reduce_scatter_tensor": lambda: torch.distributed.reduce_scatter_tensor(MATRIX, MATRIX),
    "torch.distributed._all_gather_base": lambda: torch.distributed._all_gather_base(MATRIX, MATRIX),
    "torch.distributed._reduce_scatter_base": lambda: torch.distributed._reduce_scatter_base(MATRIX, MATRIX),
    "torch.distributed.all_gather_coalesced": lambda: torch.distributed.all_gather_coalesced([[MATRIX]], [MATRIX]),
    "torch.distributed.all_reduce_coalesced": lambda: torch.distributed.all_reduce_coalesced([MATRIX]),
    "torch.distributed._sharded_tensor": lambda: imported_anew("torch.distributed._sharded_tensor"),
    "torch.distributed._shard.checkpoint": lambda: imported_anew("torch.distributed._shard.checkpoint"),
    "torch.distributed.checkpoint.save_state_dict": lambda: checkpoints().save_state_dict({}, None),
    "torch.distributed.checkpoint.load_state_dict": lambda: checkpoints().load_state_dict({}, None),
    "torch.distributions.Distribution.sample_n": lambda: torch.distributions.Normal(0.0, 1.0).sample_n(2),
    "torch.sparse.FloatTensor": lambda: torch.sparse.FloatTensor(torch.tensor([[0]]), torch.ones(1), torch.Size([3])),
    "torch.Tensor.__getitem__ index": lambda: torch.ones(3)[BYTES],
    "torch.where condition": lambda: torch.where(BYTES, MATRIX, MATRIX),
    "functorch.jvp": lambda: functorch().jvp(torch.sin, (WEIGHT,), (WEIGHT,)),
    "functorch.vjp": lambda: functorch().vjp(torch.sin, WEIGHT),
    "functorch.combine_state_for_ensemble": lambda: functorch().combine_state_for_ensemble([layer()]),
    "torchvision.transforms._transforms_video": lambda: imported_anew("torchvision.transforms._transforms_video"),
    "torchvision.transforms._functional_video": lambda: imported_anew("torchvision.transforms._functional_video"),
    "torchvision.transforms.v2.ToTensor": lambda: v2().ToTensor(),
    "torchvision.transforms.v2.functional.to_tensor": lambda: v2().functional.to_tensor(MATRIX.numpy()),
    "torchvision.transforms.v2.functional.get_image_size": lambda: v2().functional.get_image_size(torch.ones(3, 4, 4)),
}


def checkpoints():
    """Return the module of distributed checkpoints."""
    return importlib.import_module("torch.distributed.checkpoint")


def functorch():
    """Return the package that became ``torch.func``."""
    return importlib.import_module("functorch")


def v2():
    """Return torchvision's newer transforms."""
    return importlib.import_module("torchvision.transforms.v2")


def found(name):
    """Return what *name* stands for."""
    module, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(module), last)
    except ModuleNotFoundError:
        return getattr(found(module), last)


def call_of(row):
    """Return a call that uses what *row* is about."""
    key = f"{row.name} {row.argument}".strip()
    if key in CALLS:
        return CALLS[key]
    if row.argument in ("size_average", "reduce") and row.name.startswith("torch.nn.functional."):
        needed = [
            parameter
            for parameter in inspect.signature(found(row.name)).parameters.values()
            if parameter.default is parameter.empty
        ]
        return lambda: found(row.name)(*[MATRIX[0]] * len(needed), **{row.argument: False})
    if row.argument in ("size_average", "reduce"):
        return lambda: found(row.name)(**{row.argument: False})
    if row.argument == "pretrained" and row.name.endswith("resnet_fpn_backbone"):
        return lambda: found(row.name)("resnet18", pretrained=False)
    if row.argument in ("pretrained", "pretrained_backbone"):
        return lambda: found(row.name)(**{row.argument: False})
    if row.name.startswith("torch.nn.init."):
        return lambda: found(row.name)(torch.ones(2, 2))
    if row.name.startswith("functorch.make"):
        return lambda: found(row.name)(layer())
    if row.name.startswith("functorch."):
        return lambda: found(row.name)(torch.sin)
    if row.name.startswith("torchvision.datasets.MNIST."):
        return lambda: getattr(digits(), row.last_name)
    raise LookupError(f"no call for {key}")


@pytest.fixture(autouse=True)
def every_warning():
    """Let torch warn each time, and leave its settings as they were."""
    torch.set_warn_always(True)
    yield
    torch.set_warn_always(False)
    torch.set_default_dtype(torch.float32)


def builds_a_large_model(row):
    """Return whether *row* is about a builder of torchvision: all share one decorator, so a few small ones do."""
    small = ("resnet18", "squeezenet1_1", "mobilenet_v2", "resnet_fpn_backbone")
    return row.argument.startswith("pretrained") and row.last_name not in small


@pytest.mark.parametrize(
    "row", [row for row in WARNS if not builds_a_large_model(row)], ids=lambda row: f"{row.name} {row.argument}".strip()
)
def test_call_warns(row):
    """The call says so at run time; that it may fail afterwards, for want of a GPU or of processes, is no matter."""
    call = call_of(row)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            call()
        except (AssertionError, AttributeError, RuntimeError, TypeError, ValueError):
            pass
    words = ("deprecat", "renamed", "removed", "required to pass", "now calls", "in favor", "is not necessary", "instead")
    texts = [str(warning.message) for warning in caught]
    assert any(word in text for text in texts for word in words), texts


@pytest.mark.parametrize(
    "row", [row for row in WARNS if builds_a_large_model(row)], ids=lambda row: f"{row.name} {row.argument}"
)
def test_builder_takes_the_old_argument_by_the_decorator_that_warns(row):
    """The other builders are not built: the decorator is the one of those that are."""
    builder = found(row.name)
    assert "handle_legacy_interface" in inspect.getsource(builder).partition("def ")[0]


DOCS = {
    "torch.nn.parallel.DistributedDataParallel": "check_reduction: This argument is deprecated",
    "torch.utils.data.DataLoader": "pin_memory_device (str, optional): Deprecated",
    "torch.autograd.grad": "only_inputs`` argument is deprecated",
    "torch.Tensor.svd": "See :func:`torch.svd`",
}
ELSEWHERE = {
    "torch.autograd.Variable": "the page 'Automatic differentiation package' says: the Variable API has been deprecated",
    "torch.distributed.launch": "a module: its docstring is read below",
    "torch.nn.functional.gumbel_softmax": "the warning is for another value than the default: called below",
}


@pytest.mark.parametrize("row", [row for row in DOCUMENTED if row.name not in ELSEWHERE], ids=lambda row: row.name)
def test_documentation_says_deprecated(row):
    """The docstring says it, where no warning does."""
    text = found(row.name).__doc__ or ""
    assert (DOCS[row.name] if row.name in DOCS else "deprecated") in text


def test_what_is_documented_elsewhere():
    """The module that became torchrun, and the argument without an effect."""
    assert "deprecated" in (importlib.import_module("torch.distributed.launch").__doc__ or "")
    with pytest.warns(UserWarning, match="deprecated"):
        F.gumbel_softmax(MATRIX, eps=1e-5)


def test_what_to_write():
    """The replacements work, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.linalg.qr(MATRIX)
        torch.linalg.vector_norm(MATRIX)
        torch.ones(3).add_(torch.ones(3), alpha=2)
        nn.MSELoss(reduction="sum")
        nn.utils.parametrizations.weight_norm(layer())
        torch.meshgrid(MATRIX[0], MATRIX[0], indexing="ij")
        torchvision.models.resnet18(weights=None)
        assert torch.ones(3)[BYTES.bool()].sum() == 3
