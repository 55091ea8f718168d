"""The sizes are decided before, or by the caller."""
import torch


def write(net, example, path, **options):
    net.eval()
    torch.onnx.export(net, example, path, **options)


def write_program(net, example, path):
    program = torch.export.export(net.eval(), example, dynamic_shapes=({0: torch.export.Dim.AUTO},))
    torch.onnx.export(program, example, path)
