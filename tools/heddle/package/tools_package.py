"""The Debian package of the launcher: heddle-tools.

It has Python packages of its own, those that this launcher runs with: Debian 12's are too old for it. libheddle and
what is loaded into programs come from libheddle0.
"""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
import textwrap
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from heddle import paths, toolchain, version

_NAME = "heddle-tools"
_MODULES = Path("usr/lib/heddle/python")
_COMMAND = """#!/usr/bin/python3 -P
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # root would leave files that no package knows
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib" / "heddle" / "python"))
from heddle.__main__ import start

start()
"""


def make(preset: str, out: Path) -> None:
    """Makes the package of a preset that is built, in a folder. Errors: CheckFailed."""
    root = paths.build_dir(preset) / "tools-package"
    shutil.rmtree(root, ignore_errors=True)
    modules = root / _MODULES
    shutil.copytree(paths.TOOLS / "heddle", modules / "heddle", ignore=shutil.ignore_patterns("__pycache__"))
    log = paths.build_dir(preset) / "heddle-pack.log"
    install = ["cmake", "--install", str(paths.build_dir(preset)), "--component", "wheel", "--prefix", str(modules)]
    toolchain.follow(install, "packing the launcher", log, announces=True)
    compileall.compile_dir(modules / "heddle", quiet=2, stripdir=root)
    _link_libraries(modules / "heddle" / "files" / "lib", root, preset)
    for distribution in needed():
        _copy(distribution, modules)
    _describe(modules)
    command = root / "usr" / "bin" / "heddle"
    command.parent.mkdir(parents=True)
    command.write_text(_COMMAND, encoding="utf-8")
    command.chmod(0o755)
    _control(root)
    # Quickly: most of it is compressed no further.
    build = ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(root), str(out)]
    toolchain.follow(build, "packing the launcher", log, announces=True)


def _link_libraries(folder: Path, root: Path, preset: str) -> None:
    """Puts links to those of libheddle0 in place of copies."""
    libraries = root / "usr" / paths.configured(preset, "CMAKE_INSTALL_LIBDIR")
    for file in folder.iterdir():
        file.unlink()
        file.symlink_to(os.path.relpath(libraries / file.name, folder))


def needed() -> list[metadata.Distribution]:
    """The packages that the launcher needs, as pyproject.toml says, and what these need in turn."""
    import tomllib  # since Python 3.11, which a checkout has; a wheel's may be older

    text = (paths.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    wanted = [Requirement(words) for words in tomllib.loads(text)["project"]["dependencies"]]
    found: dict[str, metadata.Distribution] = {}
    while wanted:
        requirement = wanted.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        distribution = metadata.distribution(requirement.name)
        if distribution.name in found:
            continue
        found[distribution.name] = distribution
        wanted += [Requirement(words) for words in distribution.requires or ()]
    return list(found.values())


def _copy(distribution: metadata.Distribution, to: Path) -> None:
    """Its modules, compiled as pip has left them; without the commands that it brings."""
    for file in distribution.files or ():
        if ".." in file.parts:
            continue
        target = to / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file.locate(), target)


def _describe(modules: Path) -> None:
    """Says to Python which version is installed."""
    folder = modules / f"heddle-{version.number()}.dist-info"
    folder.mkdir()
    text = f"Metadata-Version: 2.1\nName: heddle\nVersion: {version.number()}\n"
    (folder / "METADATA").write_text(text, encoding="utf-8")


def _control(root: Path) -> None:
    number = version.number()
    # Some of its packages are compiled for this version.
    python, next_python = (f"{sys.version_info.major}.{sys.version_info.minor + more}" for more in (0, 1))
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout
    size = sum(path.lstat().st_size for path in root.rglob("*") if not path.is_dir()) // 1024
    folder = root / "DEBIAN"
    folder.mkdir()
    text = textwrap.dedent(
        f"""\
        Package: {_NAME}
        Version: {number}
        Architecture: {architecture.strip()}
        Maintainer: Heddle <maintainers@heddle.invalid>
        Section: devel
        Priority: optional
        Installed-Size: {size}
        Depends: python3 (>= {python}), python3 (<< {next_python}), binutils, libheddle0 (= {number})
        Recommends: gdb, libheddle-dev (= {number})
        Description: commands for OpenMP programs on libheddle: run, fuzz, trace, profile, attach and others
         It has Python packages of its own, which no other program sees.
        """
    )
    (folder / "control").write_text(text, encoding="utf-8")
