import torch
import torch.nn.functional as F


def distill(student, teacher, x, temperature):
    log_p = F.log_softmax(student(x) / temperature, dim=1)
    q = F.softmax(teacher(x) / temperature, dim=1)
    return F.kl_div(log_p, q, reduction="batchmean")


def distill_in_log_space(scores, targets):
    return F.kl_div(scores.log_softmax(1), targets.log_softmax(1), reduction="batchmean", log_target=True)


def with_logarithm(scores, targets):
    p = torch.softmax(scores, dim=1)
    return F.kl_div((p + 1e-8).log(), torch.softmax(targets, dim=1), reduction="batchmean")


def as_told(scores, targets, log_target):
    q = targets.log_softmax(1)
    return F.kl_div(scores.log_softmax(1), q, reduction="batchmean", log_target=log_target)


def of_others(p, q):
    return F.kl_div(p, q, reduction="batchmean")
