import datetime
import os

import torch.distributed as dist

dist.init_process_group("gloo", timeout=datetime.timedelta(minutes=2))
dist.barrier()
print(int(os.environ["LOCAL_RANK"]), dist.get_world_size())
dist.destroy_process_group()
