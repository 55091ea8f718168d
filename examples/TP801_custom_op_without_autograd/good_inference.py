import torch


@torch.library.custom_op("lines::render", mutates_args=())
def render(x: torch.Tensor) -> torch.Tensor:
    return torch.exp(x)


@render.register_fake
def _(x):
    return torch.empty_like(x)


@torch.no_grad()
def show(model, images):
    return [render(model(image)) for image in images]


def fit(model, loss):
    loss.backward()
