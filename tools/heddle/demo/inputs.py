"""What the demo runs: the paper's single sphere, sized for a machine with two cores."""

from __future__ import annotations

from dataclasses import dataclass

# Paper 1, section 4: a sphere of radius 1.1 that starts outside the unit cube and enters it at one corner. It moves by
# 0.06 along each axis a timestep and touches the cube after the seventh.
SPHERE = "--num_objects 1 --object 2 0 -1.1 -1.1 -1.1 0.060 0.060 0.060 1.1 1.1 1.1 0.0 0.0 0.0".split()


@dataclass(frozen=True)
class Input:
    """Arguments of heddle-amr besides variant, threads and results, and when the mesh is drawn."""

    arguments: list[str]
    timesteps: int
    moments: tuple[int, int, int, int]  # timesteps at whose end the mesh is drawn
    timeout_s: float  # of one run: generous, it only ends a hang


def _words(**options: int) -> list[str]:
    return [word for name, value in options.items() for word in (f"--{name}", str(value))]


def _arguments(**options: int) -> list[str]:
    # Values of blocks that do not depend on ranks: then neither does any answer.
    return [*_words(**options), "--initial-values", "block", *SPHERE]


# The eight root blocks, over a grid of so many ranks.
_GRIDS = {1: (1, 1, 1), 2: (2, 1, 1), 4: (2, 2, 1)}


def roots_over(ranks: int) -> list[str]:
    """The options that spread the roots over 1, 2 or 4 ranks."""
    words = []
    for axis, along in zip("xyz", _GRIDS[ranks]):
        words += _words(**{f"np{axis}": along, f"init_{axis}": 2 // along})
    return words


def only_the_mesh(the_input: Input, timestep: int, ranks: int, *, balances: bool) -> list[str]:
    """Arguments of a run that does little more than refine up to that timestep, and plots the mesh then."""
    arguments = list(the_input.arguments)
    changes = {"num_vars": 1, "stages_per_ts": 1, "num_tsteps": timestep, "checksum_freq": 1}
    for name, value in changes.items():
        arguments[arguments.index(f"--{name}") + 1] = str(value)
    return [*arguments, *roots_over(ranks), *_words(plot_freq=timestep, lb_opt=int(balances))]


FULL = Input(
    _arguments(
        num_refine=3,
        max_blocks=3000,
        nx=8,
        ny=8,
        nz=8,
        num_vars=6,
        num_tsteps=20,
        stages_per_ts=6,
        checksum_freq=3,
        refine_freq=2,
    ),
    timesteps=20,
    moments=(10, 12, 16, 20),
    timeout_s=120,
)

QUICK = Input(
    _arguments(
        num_refine=2,
        max_blocks=1000,
        nx=4,
        ny=4,
        nz=4,
        num_vars=4,
        num_tsteps=20,
        stages_per_ts=4,
        checksum_freq=2,
        refine_freq=2,
    ),
    timesteps=20,
    moments=(10, 12, 16, 20),
    timeout_s=60,
)
