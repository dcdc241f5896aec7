"""Files of results, most of them JSON: checked before the work, written at once after it."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from heddle import runtimes
from heddle.errors import UserError


def check(option: str, file: Path) -> None:
    """Errors: UserError when the file could not be written at the end."""
    if file.is_dir():
        raise UserError(f"{option} {file} is a folder; name a file")
    if not file.parent.is_dir():
        raise UserError(f"{option} {file}: there is no folder {file.parent}; make it first")
    if not os.access(file.parent, os.W_OK):
        raise UserError(f"{option} {file}: the folder {file.parent} cannot be written")


def write(file: Path, record: dict[str, Any]) -> None:
    """Puts the record in the place of what was there, as JSON."""
    put(file, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())


def put(file: Path, data: bytes) -> None:
    """Puts the data in the place of what was there; whoever reads meanwhile finds the one or the other."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_bytes(data)
    fresh.replace(file)


def date() -> str:
    """Now, as a record says it."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def runtime_entry(runtime: runtimes.Runtime) -> dict[str, str]:
    """Which library it was, to the byte."""
    file = runtime.library.resolve()
    return {"title": runtime.title, "library": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
