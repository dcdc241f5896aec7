"""heddle build: one preset."""

from typing import Annotated, Optional

import typer


def build(
    preset: Annotated[str, typer.Argument(help="A preset of CMakePresets.json.")] = "release",
    targets: Annotated[Optional[list[str]], typer.Argument(metavar="[TARGET]...", help="All by default.")] = None,
) -> None:
    """Build a preset of CMakePresets.json.

    release (GCC), release-clang, debug, asan or tsan.
    """
    from heddle import paths, toolchain

    toolchain.build(preset, targets)
    print(f"built {preset} in {paths.shown(paths.build_dir(preset))}")
