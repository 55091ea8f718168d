import os

from torch.distributed import destroy_process_group, init_process_group


def main():
    init_process_group(
        backend="nccl",
        init_method="env://",
        world_size=4,  # expect: TP704:9
        rank=int(os.environ["RANK"]),
    )
    destroy_process_group()


if __name__ == "__main__":
    main()
