"""What the runtimes' own work costs: where measurements are kept, and which of them a simulation takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heddle import paths, results, runtimes
from heddle.errors import UserError

KEPT = paths.OUT / "costs.json"
DEFAULT = paths.ROOT / "bench" / "results" / "costs.json"


def read(given: Path | None, runtime: str = "heddle") -> tuple[dict[str, Any], str]:
    """Costs, and where they come from.

    Errors: UserError where a file is none of costs, or knows nothing of the runtime.
    """
    for path, origin in ((given, str(given)), (KEPT, f"measured here ({paths.shown(KEPT)})"), (DEFAULT, "")):
        if path is None or (path is not given and not path.is_file()):
            continue
        try:
            costs = results.read(path)
        except UserError as mistake:
            raise UserError(f"{mistake}, so it holds no costs; 'heddle calibrate' writes some") from None
        if not isinstance(costs, dict) or not {"heddle", "messages", "trace", "machine"} <= set(costs):
            raise UserError(f"{path} holds no costs; 'heddle calibrate' writes some")
        if runtime not in costs:
            raise UserError(f"{path} has no costs of the runtime '{runtime}'; 'heddle calibrate' measures those here")
        return costs, origin or f"of {costs['machine']}; 'heddle calibrate' measures those of this machine"
    raise UserError("there are no costs of a runtime; 'heddle calibrate' measures them")


def free(of: dict[str, Any]) -> dict[str, Any]:
    """The same of runtimes that cost nothing."""
    return of | {name: dict.fromkeys(of[name], 0.0) | {"spin": 1e18} for name in runtimes.NAMES if name in of}
