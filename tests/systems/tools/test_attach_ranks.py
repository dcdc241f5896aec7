"""heddle attach on what has started ranks: which of them wait for each other. Real ranks: tests/systems/ranks."""

import pytest
from heddle.attach.ranks import cycle_of, waits_of

LINE = "    outstanding: a receive of 4 bytes from rank {}, tag 7, in MPI_COMM_WORLD, for 2 s; this is rank {}\n"


def test_waits_are_read_from_reports_in_ranks_of_the_world():
    split = (
        "    outstanding: a send of 8 bytes to rank 1 (3 of MPI_COMM_WORLD), tag 0, in half, for 2 s; this is rank 2\n"
    )
    other = "    outstanding: MPI_Barrier, in MPI_COMM_WORLD, for 2 s; this is rank 0\n"
    wild = "    outstanding: a receive of 4 bytes from any rank, any tag, in MPI_COMM_WORLD, for 1 s; this is rank 0\n"
    assert waits_of([LINE.format(1, 0) + LINE.format(2, 0), split, other + wild]) == {0: {1, 2}, 2: {3}}


@pytest.mark.parametrize(
    ("waits", "cycle"),
    [
        ({}, []),
        ({0: {1}, 1: {2}}, []),
        ({0: {1}, 1: {0}}, [0, 1]),
        ({0: {0}}, [0]),
        ({0: {1}, 1: {2}, 2: {3}, 3: {1}}, [1, 2, 3]),
        ({0: {1}, 1: {2}, 2: {0, 1}}, [1, 2]),
    ],
)
def test_a_cycle_is_the_shortest(waits, cycle):
    assert cycle_of(waits) == cycle
