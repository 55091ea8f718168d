from argparse import ArgumentParser

from torch.distributed import init_process_group


class Options:
    def __init__(self):
        self.parser = ArgumentParser()
        group = self.parser.add_argument_group("distributed")
        group.add_argument(  # expect: TP712:9
            "--local_rank", dest="device", type=int, required=True, help="set by the launcher"
        )

    def parse(self):
        options, _ = self.parser.parse_known_args()
        init_process_group("nccl")
        return options
