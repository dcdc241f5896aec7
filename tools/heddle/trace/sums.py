"""The checksum of the file of events (tracer/sums.hpp): Fletcher's two sums, over words of 64 bits."""

from __future__ import annotations

import numpy as np

_WORD = 8
_MASK = (1 << 64) - 1


def sums(*parts: np.ndarray) -> tuple[int, int]:
    """Of these bytes, one part behind the other. Only the last part may have another size than a word's multiple."""
    plain = weighted = 0
    for part in parts:
        words = np.zeros(-(-part.nbytes // _WORD), "u8")
        words.view("u1")[: part.nbytes] = part.view("u1").reshape(-1)
        running = np.cumsum(words)  # modulo 2^64, as all of it
        weighted = (weighted + plain * len(words) + int(running.sum())) & _MASK
        plain = (plain + int(running[-1] if len(running) else 0)) & _MASK
    return plain, weighted
