"""Records of results, as JSON."""

from __future__ import annotations

import datetime
import hashlib
import json
from pathlib import Path
from typing import Any

from heddle import runtimes, whole_file


def write(file: Path, record: Any) -> None:
    """Puts the record in the place of what was there, as JSON. Errors: as those of whole_file.put()."""
    whole_file.put(file, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode())


def date() -> str:
    """Now, as a record says it."""
    return datetime.datetime.now().astimezone().isoformat(timespec="seconds")


def runtime_entry(runtime: runtimes.Runtime) -> dict[str, str]:
    """Which library it was, to the byte."""
    file = runtime.library.resolve()
    return {"title": runtime.title, "library": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
