"""Every code block of a tutorial: files are written, commands run in a shell, and their output is what the page shows.

A block of a language with title="NAME" is a file. A block of `sh` runs, in one folder for the whole page and with the
variables of those before; it ends with status 0, or with that of title="exit status N". A block of `text` behind it is
its output: "…" stands for anything, alone in a line for any lines. With title="with times of your machine" numbers may
be others, but for those with many digits: results are exact.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest
from command import without_interruptions
from heddle import paths, toolchain
from heddle.patience import scaled
from markdown_it import MarkdownIt

PAGES = sorted((paths.ROOT / "docs" / "tutorials").glob("*.md"))
LIMIT_S = 120
STATUS = re.compile(r'title="exit status (\d+)( or above)?"')
TIMES = 'title="with times of your machine"'
# Also the unit behind it: what takes 1.2 ms here takes 900 µs there. And "<1 %", where another machine has 1 %.
NUMBER = re.compile(r"(?<![\w.])<?-?\d+(?:\.\d{1,6})?(?![\d.]*\d)(?: ?(?:ms|µs|us|s|ns)\b)?")


@pytest.fixture(scope="session")
def shell_path(tmp_path_factory):
    """PATH with heddle in it, as people have it; what the pages run is built."""
    toolchain.build("release")
    folder = tmp_path_factory.mktemp("bin")
    (folder / "heddle").symlink_to(paths.ROOT / "heddle")
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_page(page, shell_path, tmp_path):
    blocks = [token for token in MarkdownIt().parse(page.read_text()) if token.type == "fence"]
    assert blocks, "a tutorial without code"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "HEDDLE_ORDER"))}
    environ["PATH"] = shell_path
    said = None
    for block in blocks:
        language, _, words = block.info.partition(" ")
        if language == "text":
            if said is not None:
                compare(block.content, said, TIMES in words, page)
            else:
                assert page.stem == "README", f"{page}: an output without a command: {block.content}"
            said = None
        elif language == "sh":
            said = run(block.content, words, tmp_path, environ)
        else:
            name = re.search(r'title="([\w.]+)"', words)
            assert name, f"{page}: a block of '{language}' that is neither a file nor a command"
            (tmp_path / name[1]).write_text(block.content)


def test_blocks_can_be_copied_into_a_shell():
    """None ends the reader's shell, and a page whose blocks need those before says so."""
    for page in sorted([paths.ROOT / "README.md", *(paths.ROOT / "docs").rglob("*.md")]):
        for token in MarkdownIt().parse(page.read_text()):
            is_shell = token.type == "fence" and token.info.partition(" ")[0] in ("sh", "bash", "console")
            if is_shell and not token.content.startswith("#!"):
                assert not re.search(r"(^|[;&|]\s*)(exit|exec|set -e\w*)\b", token.content, re.MULTILINE), page
    for page in PAGES:
        assert "depend on each other" in page.read_text(), page


def run(commands: str, words: str, folder: Path, environ: dict[str, str]) -> str:
    """What they say; variables that they export are there for the next."""
    script = (
        "set -eu -o pipefail\n[ ! -e .variables ] || . ./.variables\ntrap 'export -p > .variables' EXIT\n" + commands
    )
    wanted = STATUS.search(words)
    least = int(wanted[1]) if wanted else 0
    for _ in range(4):
        done = subprocess.run(
            ["bash", "-c", script],
            cwd=folder,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=scaled(LIMIT_S),
        )
        # MPICH 4.2's launcher forgets the status of an aborted rank, on a busy machine one time of eight.
        if done.returncode != 0 or not least or "mpiexec" not in commands:
            break
    is_right = done.returncode >= least if wanted and wanted[2] else done.returncode == least
    assert is_right, f"{commands}ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def compare(shown: str, said: str, has_times: bool, page: Path) -> None:
    def pattern(line: str) -> str:
        line = re.escape(plain(line, has_times)).replace("…", ".*")
        return r"(?:.*\n)*?" if line == ".*" else line + "\n"

    wanted = "".join(pattern(line) for line in shown.splitlines())
    found = "".join(plain(line, has_times) + "\n" for line in without_interruptions(said))
    assert re.fullmatch(wanted, found), f"{page} shows\n{shown}\nand it is\n{said}"


def plain(line: str, has_times: bool) -> str:
    line = re.sub(r"\s+", " ", line.replace("./heddle ", "heddle ")).strip()
    return NUMBER.sub("0", line) if has_times else line


def test_results_are_compared_and_times_are_not():
    compare("heat 1.123456789\n12 ms\n", "heat 1.123456789\n7 us\n", True, Path("page"))
    compare("a\n…\nb … c\n", "a\nx\ny\nb 1 c\n", False, Path("page"))
    compare(
        "a\n", "heddle: 1 task of x took 9 ms: the system may have interrupted its thread\na\n", False, Path("page")
    )
    for shown, said in (("heat 1.123456789", "heat 1.123456788"), ("12 ms", "12 ms more"), ("a 1", "b 1")):
        with pytest.raises(AssertionError):
            compare(shown, said, True, Path("page"))
    with pytest.raises(AssertionError):
        compare("12 ms", "13 ms", False, Path("page"))
