"""torchvision, also where its compiled operators were built for another torch: no test here needs them."""
from unittest import mock

try:
    import torchvision
except RuntimeError:
    with mock.patch("torch.library.register_fake", lambda name: lambda function: function):
        import torchvision

__all__ = ["torchvision"]
