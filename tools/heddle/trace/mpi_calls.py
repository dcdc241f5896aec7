"""What MPI's functions do, by their names: for formats that tell kinds of calls apart."""

from __future__ import annotations

from enum import Enum, auto


class Call(Enum):
    SEND = auto()
    RECEIVE = auto()
    SEND_AND_RECEIVE = auto()
    START_SEND = auto()
    START_RECEIVE = auto()
    TEST = auto()
    WAIT = auto()
    BARRIER = auto()
    ONE_TO_ALL = auto()
    ALL_TO_ONE = auto()
    ALL_TO_ALL = auto()
    OTHER = auto()


# Collective ones; their nonblocking forms count as them.
COLLECTIVE = (Call.BARRIER, Call.ONE_TO_ALL, Call.ALL_TO_ONE, Call.ALL_TO_ALL)

_NAMES = {
    Call.SEND: "send bsend rsend ssend",
    Call.RECEIVE: "recv mrecv",
    Call.SEND_AND_RECEIVE: "sendrecv sendrecv_replace isendrecv isendrecv_replace",
    Call.START_SEND: "isend ibsend irsend issend start startall",
    Call.START_RECEIVE: "irecv imrecv",
    Call.TEST: "test testall testany testsome probe iprobe mprobe improbe",
    Call.WAIT: "wait waitall waitany waitsome",
    Call.BARRIER: "barrier",
    Call.ONE_TO_ALL: "bcast scatter scatterv",
    Call.ALL_TO_ONE: "reduce gather gatherv",
    Call.ALL_TO_ALL: (
        "allreduce allgather allgatherv alltoall alltoallv alltoallw reduce_scatter reduce_scatter_block scan exscan "
        "neighbor_allgather neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw"
    ),
}
_CALLS = {name: call for call, names in _NAMES.items() for name in names.split()}

_ALL_BESIDE_DATA = (
    "init init_thread finalize comm_dup comm_dup_with_info comm_split comm_split_type comm_create cart_create "
    "dist_graph_create dist_graph_create_adjacent win_create win_allocate win_allocate_shared win_fence win_free "
    "intercomm_create"
).split()


def call_of(function: str) -> Call:
    """function: as in the standard, such as MPI_Waitall, or a form of it for large counts."""
    name = _bare(function)
    return _CALLS.get(name) or _CALLS.get(name.removeprefix("i"), Call.OTHER)


def involves_all(function: str) -> bool:
    """Whether all ranks of a communicator call it together without data of the program's."""
    return _bare(function) in _ALL_BESIDE_DATA


def returns_at_once(function: str) -> bool:
    """Whether it waits for nobody: it starts something, asks whether it is done, or is about this process alone."""
    call = call_of(function)
    if call in (Call.START_SEND, Call.START_RECEIVE, Call.TEST):
        return True
    if call is Call.OTHER:
        return not involves_all(function)
    name = _bare(function)
    return name.startswith("i") and name[1:] in _CALLS  # a nonblocking form


def _bare(function: str) -> str:
    return function.lower().removeprefix("pmpi_").removeprefix("mpi_").removesuffix("_c")
