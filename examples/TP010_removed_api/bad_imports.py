from torch import nn
from torch._six import container_abcs, int_classes, string_classes  # expect: TP010:1
from torch.utils.data import DataLoader
from torchvision.models.resnet import Bottleneck, ResNet, model_urls  # expect: TP010:1
from torchvision.models.utils import load_state_dict_from_url  # expect: TP010:1
from torchvision.transforms.functional_tensor import rgb_to_grayscale  # expect: TP010:1


def wide_resnet(classes: int) -> nn.Module:
    net = ResNet(Bottleneck, [3, 4, 6, 3], num_classes=classes)
    net.load_state_dict(load_state_dict_from_url(model_urls["resnet50"]), strict=False)
    return net


def to_gray(batch):
    if isinstance(batch, string_classes + int_classes):
        return batch
    if isinstance(batch, container_abcs.Mapping):
        return {key: to_gray(value) for key, value in batch.items()}
    return rgb_to_grayscale(batch)


def loader(dataset):
    return DataLoader(dataset, batch_size=32, collate_fn=to_gray)
