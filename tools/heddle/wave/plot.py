"""./heddle wave --plot: runs heddle-wave as asked for and draws what it ends with."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path

from heddle import launch, whole_file
from heddle.errors import CheckFailed, UserError


def plot(file: Path, plan: launch.Plan, arguments: list[str]) -> int:
    """Runs the program with these arguments and writes the picture. Returns the program's exit status.

    A run that writes no samples, as that of --help, leaves no picture. Errors: UserError for a file that cannot be
    written, CheckFailed when the samples cannot be read.
    """
    check(file)
    with tempfile.TemporaryDirectory(prefix="heddle-wave-") as folder:
        samples_file, more = _file_of("--samples", arguments, Path(folder) / "samples.csv")
        results_file, more_results = _file_of("--results", arguments, Path(folder) / "results.json")
        command = [str(plan.program), *arguments, *more, *more_results]
        status = _run(command, plan.environ, f"results: {results_file}" if more_results else None)
        if status != 0 or not samples_file.exists():
            return status if status >= 0 else 128 - status
        _draw(file, samples_file, results_file)
    if "--quiet" not in arguments:
        print(f"picture: {file}")
    return 0


def _run(command: list[str], environ: dict[str, str], left_out: str | None) -> int:
    """Runs the command and passes on what it prints, but not the line that names a file of ours."""
    with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.rstrip("\n") != left_out:
                print(line, end="", flush=True)
    return process.returncode


def check(file: Path) -> None:
    """Errors: UserError when no picture can be written there."""
    if file.suffix.lower() != ".png":
        raise UserError(f"--plot {file}: pictures are PNG files; give a name that ends in .png")
    whole_file.check("--plot", file)


def _file_of(option: str, arguments: list[str], ours: Path) -> tuple[Path, list[str]]:
    """The file that the option names, and the arguments that name ours where it is not given."""
    for i, argument in enumerate(arguments):
        if argument == option and i + 1 < len(arguments):
            return Path(arguments[i + 1]), []
        if argument.startswith(f"{option}="):
            return Path(argument.partition("=")[2]), []
    return ours, [option, str(ours)]


def _draw(file: Path, samples_file: Path, results_file: Path) -> None:
    # Matplotlib is slow to import and only needed now.
    from heddle.wave import picture, samples

    try:
        data = json.loads(results_file.read_text(encoding="utf-8"))
        plane = samples.read(samples_file)
    except (OSError, ValueError) as error:
        raise CheckFailed(f"heddle-wave left no usable files to draw: {error}") from None
    drawn = picture.single(picture.moment(plane, data), picture.unknown(data), is_slice=data["dim"] == 3)
    whole_file.put(file, drawn)
