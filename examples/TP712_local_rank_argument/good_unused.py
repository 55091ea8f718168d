import argparse

import torch.distributed as dist


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=0, help="for old launchers")
    parser.parse_args()
    dist.init_process_group("gloo")
    print(dist.get_rank())


if __name__ == "__main__":
    main()
