import torch.distributed as dist


class Launcher:
    def start(self, backend):
        dist.init_process_group(backend)
        if dist.get_rank() == 0:
            print("started")
        with open("ranks.txt", "a") as log:
            dist.init_process_group(backend)  # expect: TP704:13
            log.write(f"{dist.get_rank()}\n")
