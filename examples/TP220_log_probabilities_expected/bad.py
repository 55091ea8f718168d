import torch.nn.functional as F


def distill(student, teacher, x, temperature):
    scores, targets = student(x), teacher(x)
    p = F.softmax(scores / temperature, dim=1)  # expect: TP220:9
    q = F.softmax(targets / temperature, dim=1)
    return F.kl_div(p, q, reduction="batchmean")


def distill_with_logarithms(scores, targets):
    log_q = F.log_softmax(targets, dim=1)  # expect: TP220:13
    return F.kl_div(F.log_softmax(scores, dim=1), log_q, reduction="batchmean")


def distill_in_log_space(scores, targets):
    q = targets.softmax(dim=1)  # expect: TP220:9
    return F.kl_div(scores.log_softmax(dim=1), q, reduction="batchmean", log_target=True)
