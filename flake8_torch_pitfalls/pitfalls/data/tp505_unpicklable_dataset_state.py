"""A data set that opens a file or connection in `__init__` breaks in the worker processes of a loader.

## What happens
Workers that are forked share the one open file: its offset moves for all of them, so that they read each other's
bytes; HDF5 files, LMDB environments and database connections are not made for it and give wrong data or errors.
Workers that are spawned get the data set pickled, which raises "cannot pickle ...". The same holds for locks, lambdas
and generators where the loader's workers are spawned.

## What to write
Keep the path, and open on first use, in the process that reads:

    def __getitem__(self, index):
        if self.file is None:
            self.file = h5py.File(self.path, "r")
        return self.file["images"][index]

## Silent
- Files that are closed in `__init__`, or read there and not used again.
- Files also opened elsewhere: in `__getitem__`, in a helper, in `worker_init_fn`.
- Classes with `__getstate__` or `__reduce__`, which may drop the file.
- `numpy.memmap`, and data sets that the file loads with `num_workers=0` only.

## Known limits
The parts of a file that are followed are its items and cursors. Handles of libraries that are not on the list of
this rule are not known. Where no loader is in view, workers are taken to be possible. Locks, lambdas and generators
count only where the file names `spawn` or `forkserver`.

## Sources
- `torch.utils.data` in PyTorch's documentation: "Multi-process data loading", "Platform-specific behaviors".
- "Concurrency: Multiprocessing", h5py's documentation; `lmdb.Environment` in py-lmdb's documentation.
"""
from __future__ import annotations

from collections.abc import Iterator

from astroid import nodes

from flake8_torch_pitfalls.analysis import scopes
from flake8_torch_pitfalls.analysis.calls import constants
from flake8_torch_pitfalls.analysis.loaders import loader_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.analysis.tree import class_of, dotted, function_of, method_of
from flake8_torch_pitfalls.analysis.values import Instance
from flake8_torch_pitfalls.finding import Finding

WORDS = {"Dataset", "IterableDataset", "VisionDataset", "ImageFolder"}

DATASET = "torch.utils.data.Dataset"
_HANDLES = frozenset(
    "open io.open gzip.open bz2.open lzma.open h5py.File lmdb.open lmdb.Environment sqlite3.connect zipfile.ZipFile "
    "tarfile.open tarfile.TarFile socket.socket socket.create_connection cv2.VideoCapture tables.open_file "
    "netCDF4.Dataset rasterio.open psycopg2.connect pymysql.connect pymongo.MongoClient redis.Redis "
    "redis.StrictRedis mysql.connector.connect decord.VideoReader".split()
)
_NEVER_PICKLED = frozenset(("threading.Lock", "threading.RLock", "threading.Condition", "threading.Semaphore"))
_PICKLES_ITSELF = ("__getstate__", "__reduce__", "__reduce_ex__")
_ENDS = ("__del__", "close", "__exit__")


def check(source: Source) -> Iterator[Finding]:
    """Yield what the ``__init__`` of a data set opens and its other methods use."""
    spawns = any(text.value in ("spawn", "forkserver") for text in source.index.of(nodes.Const))
    for cls in source.index.of(nodes.ClassDef):
        init = next((method for method in cls.mymethods() if method.name == "__init__"), None)
        if init is None or source.names.derives(cls, DATASET) is not True or _pickles_itself(source, cls):
            continue
        if _is_loaded_by_one_process(source, cls):
            continue
        setup = _setup(source, cls, init)
        for name, stores in source.index.stores.items():
            for store in stores:
                if function_of(store) in setup and dotted(store.expr) == "self":
                    handle = _handle(source, store, spawns)
                    if handle is not None and _is_used_later(source, cls, name, store, setup):
                        yield Finding(store.statement(), _message(name, handle))


def _setup(source: Source, cls: nodes.ClassDef, init: nodes.FunctionDef) -> list[nodes.FunctionDef]:
    """Return *init* and the methods of *cls* that it calls and nothing else mentions."""
    helpers = [
        method
        for method in cls.mymethods()
        if (mentions := source.index.attributes.get(method.name))
        and all(function_of(mention) is init and dotted(mention.expr) == "self" for mention in mentions)
    ]
    return [init, *helpers]


def _message(name: str, handle: nodes.NodeNG) -> str:
    if isinstance(handle, nodes.Call):
        what = f"'{handle.func.as_string()}(...)'"
    else:
        what = "a lambda" if isinstance(handle, nodes.Lambda) else "a generator"
    return f"'self.{name}' holds {what}, which worker processes can neither share nor pickle; make it on first use"


def _pickles_itself(source: Source, cls: nodes.ClassDef) -> bool:
    return any(source.names.method(cls, name) is not None for name in _PICKLES_ITSELF)


def _is_loaded_by_one_process(source: Source, cls: nodes.ClassDef) -> bool:
    """Return whether the file loads objects of *cls*, and always without workers."""
    loaders = [
        loader
        for loader in loader_calls(source)
        if any(
            isinstance(value, Instance) and value.cls is cls
            for value in source.names.values(loader.given.get("dataset"))
        )
    ]
    return bool(loaders) and all(
        loader.lacks("num_workers") or constants(source.names, loader.given.get("num_workers") or loader.node) == {0}
        for loader in loaders
    )


def _handle(source: Source, store: nodes.AssignAttr, spawns: bool) -> nodes.NodeNG | None:
    """Return the expression that makes what *store* keeps, if that is bound to its process."""
    if not isinstance(store.parent, (nodes.Assign, nodes.AnnAssign)) or store.parent.value is None:
        return None
    for value in _parts(source, store.parent.value):
        if isinstance(value, nodes.Call):
            symbol = source.names.symbol(value.func)
            if symbol in _HANDLES or spawns and symbol in _NEVER_PICKLED:
                return value
        if spawns and isinstance(value, (nodes.Lambda, nodes.GeneratorExp)):
            return value
    return None


def _parts(source: Source, value: nodes.NodeNG) -> Iterator[nodes.NodeNG]:
    """Yield the expressions whose objects *value* keeps: itself, a variable's, a display's items, a file's data."""
    match value:
        case nodes.Name(name=name):
            found = scopes.definitions(value, name)
            if len(found) == 1 and isinstance(found[0].parent, nodes.Assign):
                yield found[0].parent.value
        case nodes.List() | nodes.Tuple():
            yield from value.elts
        case nodes.Dict():
            yield from (item for _, item in value.items)
        case nodes.ListComp():
            yield value.elt
        case nodes.DictComp():
            yield value.value
        case nodes.IfExp():
            yield from (value.body, value.orelse)
        case nodes.Subscript(value=opened, slice=nodes.Const(value=str())):  # h5py.File(path)["images"]
            yield from _parts(source, opened)
        case nodes.Call(func=nodes.Attribute(attrname="cursor" | "begin", expr=opened)):  # of a database
            yield from _parts(source, opened)
        case nodes.Attribute(expr=nodes.Name(name="self"), attrname=name) if (owner := class_of(value)) is not None:
            stores = list(source.names.stores(owner, name))
            if len(stores) == 1 and isinstance(stores[0].parent, nodes.Assign):
                yield stores[0].parent.value
        case _:
            yield value


def _is_used_later(
    source: Source, cls: nodes.ClassDef, name: str, store: nodes.AssignAttr, setup: list[nodes.FunctionDef]
) -> bool:
    """Return whether methods other than those of *setup* read ``self.name``, which holds nothing but this."""
    if any(other is not store for other in source.index.stores[name] if class_of(other) in (cls, None)):
        return False
    if any(dotted(other.expr) != "self" for other in source.index.stores[name]):
        return False  # worker_init_fn may open it again
    reads = [
        read
        for read in source.index.attributes.get(name, ())
        if class_of(read) is cls and dotted(read) == f"self.{name}"
    ]
    if any(
        isinstance(read.parent, nodes.Attribute)
        and read.parent.attrname == "close"
        and method_of(read) in setup
        for read in reads
    ):
        return False
    value = store.parent.value
    if isinstance(value, nodes.Name) and any(
        dotted(call.func) == f"{value.name}.close" and function_of(call) is function_of(store)
        for call in source.index.calls.get("close", ())
    ):
        return False
    return any(method_of(read) not in setup and getattr(method_of(read), "name", "") not in _ENDS for read in reads)
