"""A program seeds torch, but not NumPy or `random`, from which it draws too.

## What happens
Each library has a generator of its own. `torch.manual_seed` leaves those of `numpy.random` and `random` as they are:
shuffles, augmentations and splits drawn from them differ in every run, and the run does not repeat.

## What to write
```python
def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)
```

## Silent
- All that the file draws from is seeded, here, in a helper that it calls, or in a module that it imports.
- NumPy's own generators, `np.random.default_rng(seed)` and `RandomState(seed)`, and `random.Random(seed)`.
- Helpers out of view, such as `lightning.seed_everything` or `transformers.set_seed`, which seed everything.

## Known limits
Only what the file itself draws is looked at. A caller that seeds NumPy in another file is not seen.

## Sources
- "Reproducibility", PyTorch notes: "Python", "Random number generators in other libraries".
"""
from __future__ import annotations

from collections.abc import Iterator

from flake8_torch_pitfalls.analysis.calls import local_names
from flake8_torch_pitfalls.analysis.seeding import imported_words, seeding_calls
from flake8_torch_pitfalls.analysis.source import Source
from flake8_torch_pitfalls.finding import Finding

WORDS = {"manual_seed", "manual_seed_all", "set_seed", "seed_everything", "fix_seed", "seed_all"}

_DRAWS = {
    "numpy": (
        "numpy.random.",
        frozenset("beta binomial choice exponential gamma multinomial normal permutation poisson rand randint randn "
                  "random random_sample shuffle standard_normal uniform".split()),
    ),
    "random": (
        "random.",
        frozenset("betavariate choice choices gauss normalvariate randint random randrange sample shuffle "
                  "uniform".split()),
    ),
}  # fmt: skip
"""For each library the package of its global generator, and the functions that draw from it."""
_SEEDED = {"numpy": "numpy.random.seed", "random": "random.seed"}
_MENTIONS = {"numpy": frozenset(("np", "numpy")), "random": frozenset(("random",))}


def check(source: Source) -> Iterator[Finding]:
    """Yield the first call that seeds torch in a file that draws from a library which nothing seeds."""
    found = list(seeding_calls(source))
    if any(libraries is None for _, libraries in found):
        return
    seeded = {library for _, libraries in found for library in libraries or ()}
    missing = [library for library in _DRAWS if library not in seeded and _draws_from(source, library)]
    if missing:
        missing = [library for library in missing if not _is_seeded_elsewhere(source, library)]
    for call, libraries in found if missing else ():
        if libraries is not None and "torch" in libraries:
            seeds = " and ".join(f"'{_SEEDED[library]}'" for library in missing)
            yield Finding(
                call, f"'{call.func.as_string()}' leaves other random numbers of this file unseeded; call {seeds}, too"
            )
            return


def _draws_from(source: Source, library: str) -> bool:
    package, functions = _DRAWS[library]
    return any(
        source.names.symbol(call.func) == package + imported
        for name, imported in sorted(local_names(source.index, functions).items())
        for call in source.index.calls.get(name, ())
    )


def _is_seeded_elsewhere(source: Source, library: str) -> bool:
    """Return whether a module of the project that the file imports may seed *library*."""
    return any("seed" in words and not words.isdisjoint(_MENTIONS[library]) for words in imported_words(source))
