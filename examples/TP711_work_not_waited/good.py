import torch
import torch.distributed as dist


def average(gradient, other):
    work = dist.all_reduce(gradient, async_op=True)
    other = other * 2
    count = gradient.numel()
    work.wait()
    return gradient / count + other


def at_once(gradient):
    dist.all_reduce(gradient, async_op=True).wait()
    dist.all_reduce(gradient, async_op=False)
    return gradient


def collected(gradients):
    works = []
    for gradient in gradients:
        works.append(dist.all_reduce(gradient, async_op=True))
    for work in works:
        work.wait()
    return torch.stack(gradients)


def all_at_once(outgoing, incoming, peer):
    operations = [dist.P2POp(dist.isend, outgoing, peer), dist.P2POp(dist.irecv, incoming, peer)]
    for request in dist.batch_isend_irecv(operations):
        request.wait()
    return incoming


def handed_on(gradient):
    return dist.all_reduce(gradient, async_op=True)


def hook(state, bucket):
    future = dist.all_reduce(bucket.buffer(), async_op=True).get_future()
    return future.then(lambda finished: finished.value()[0])
