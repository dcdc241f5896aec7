"""Pages of source files that the manual's pages link to, and the links to them.

In the repository a page links to a file by its path, wherever that is. The site has docs/ alone: each other file that a
page names becomes a page of its own below source/, and a folder a list of its files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from pygments.lexers import get_lexer_for_filename
from pygments.util import ClassNotFound

from heddle import paths

DOCS = paths.ROOT / "docs"
_FOLDER = "source"
_LINK = re.compile(r"(?<=\]\()([^)\s#]+)((?:#[^)\s]*)?(?:\s+\"[^\"]*\")?\))")


def linked(pages: Iterable[Path]) -> dict[str, str]:
    """Source pages, by their place below docs/, that these files of docs/ lead to, directly or by one another."""
    made: dict[str, str] = {}
    new = [target for page in pages for target in _outside(page)]
    while new:
        path = new.pop()
        place = _place(path)
        if place in made:
            continue
        if path.is_dir():
            files = sorted(file for file in path.iterdir() if not file.name.startswith((".", "__")))
            made[place] = _listing(path, files, place)
            new += files
        elif path.suffix == ".md":
            made[place] = rewritten(path.read_text(encoding="utf-8"), path, place)
            new += _outside(path)
        else:
            made[place] = _listed(path)
    return made


def rewritten(text: str, file: Path, place: str) -> str:
    """The text of a page, with links that work from its place on the site. place: relative to docs/."""

    def link(match: re.Match[str]) -> str:
        target = (file.parent / match[1]).resolve()
        if "://" in match[1] or not target.exists() or not target.is_relative_to(paths.ROOT):
            return match[0]
        where = target.relative_to(DOCS) if target.is_relative_to(DOCS) else _place(target)
        return os.path.relpath(where, Path(place).parent) + match[2]

    return _LINK.sub(link, text)


def _outside(page: Path) -> list[Path]:
    """Existing files and folders of the checkout, but not of docs/, that the page links to."""
    targets = ((page.parent / match[1]).resolve() for match in _LINK.finditer(page.read_text(encoding="utf-8")))
    return [
        path for path in targets if path.exists() and path.is_relative_to(paths.ROOT) and not path.is_relative_to(DOCS)
    ]


def _place(path: Path) -> str:
    name = str(path.relative_to(paths.ROOT))
    if path.is_dir():
        return f"{_FOLDER}/{name}/index.md"
    return f"{_FOLDER}/{name if path.suffix == '.md' else name + '.md'}"


def _listing(path: Path, files: list[Path], place: str) -> str:
    rows = [f"- [{file.name}]({os.path.relpath(_place(file), Path(place).parent)})" for file in files]
    return "\n".join([f"# {path.relative_to(paths.ROOT)}", "", *rows, ""])


def _listed(path: Path) -> str:
    try:
        language = get_lexer_for_filename(path.name).aliases[0]
    except ClassNotFound:
        language = "text"
    text = path.read_text(encoding="utf-8")
    fence = "`" * (3 + max((len(run) for run in re.findall("`{3,}", text)), default=0))
    return f"# {path.relative_to(paths.ROOT)}\n\n{fence}{language}\n{text}\n{fence}\n"
