"""Records of results, as JSON."""

from __future__ import annotations

import datetime
import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from heddle import regular_file, runtimes, whole_file
from heddle.errors import UserError


def write(file: Path, record: Any) -> None:
    """Puts the record in the place of what was there, as JSON. Errors: as those of whole_file.put()."""
    whole_file.put(file, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())


def read(file: Path, option: str = "") -> Any:
    """What a file of JSON holds. option: which names it, for messages. Errors: UserError where it is none."""
    words = f"{option} {file}".strip()
    try:
        return json.loads(regular_file.text(file))
    except UserError as mistake:
        raise UserError(f"{option} {mistake}".strip()) from None
    except (ValueError, RecursionError):
        raise UserError(f"{words} is not JSON") from None


def date() -> str:
    """Now, as a record says it."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def commit_of(folder: Path) -> str:
    """The commit of the checkout that a folder is in, "-dirty" where files differ from it; empty in none."""
    words = ["git", "-C", str(folder), "describe", "--always", "--dirty"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def runtime_entry(runtime: runtimes.Runtime) -> dict[str, str]:
    """Which library it was, to the byte."""
    file = runtime.library.resolve()
    return {"title": runtime.title, "library": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
