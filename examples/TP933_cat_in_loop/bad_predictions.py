"""Outputs of all batches, in one tensor that grows."""
import torch


@torch.inference_mode()
def predict(net, batches):
    net.eval()
    outputs = torch.empty(0, 10)
    labels = None
    for images, targets in batches:
        outputs = torch.cat((outputs, net(images)), dim=0)  # expect: TP933:19
        if labels is None:
            labels = targets
        else:
            labels = torch.cat([labels, targets])  # expect: TP933:22
    return outputs, labels
