"""Messages of a trace: which task posts them, which awaits them, and which completes with them.

A receive that a call of MPI waits for is awaited by the task that has made the call. One that a test finds complete, as
a poller does, completes the task that has posted it. Of sends a trace tells the begin alone: they are awaited by the
next wait of their task that receives nothing or is for all, and without one an explicit task completes with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from heddle.errors import UserError
from heddle.trace.mpi_calls import COLLECTIVE, Call, call_of, involves_all, returns_at_once

Script = list[Any]
Channel = tuple[int, int]  # communicator, tag


@dataclass
class MessageState:
    """Of a task: the call of MPI that it is in, and what it has posted that is not awaited."""

    is_explicit: bool
    function: str = ""
    has_received: bool = False
    open_sends: list[int] = field(default_factory=list)  # parts in collective operations too
    before_call: int = 0  # how many of them

    @property
    def waits(self) -> bool:
        return bool(self.function) and not returns_at_once(self.function)


@dataclass
class _Message:
    kind: str
    channel: Channel = (0, 0)
    peer: int = -1  # -1: not known
    bytes: int = 0
    is_bound: bool = False


class ProcessMessages:
    """Those of one process, in the order of time. Numbers of messages are those of post, await and bind."""

    def __init__(self, names: dict[int, str]) -> None:
        self._names = names
        self._messages: list[_Message] = []
        self._posts: dict[int, tuple[int, MessageState, Script]] = {}  # by the trace's number of the receive
        self._explicit: list[MessageState] = []

    def begin(self, task: MessageState, script: Script, function: int) -> None:
        """A call of MPI."""
        task.function = self._names.get(function, "?")
        task.has_received = False
        task.before_call = len(task.open_sends)
        if call_of(task.function) in COLLECTIVE or involves_all(task.function):
            self._post(_Message("collective"), task, script)

    def end(self, task: MessageState, script: Script) -> None:
        if not task.waits:
            task.function = ""
            return
        waits_for_sends = not task.has_received or "waitall" in task.function.lower()
        first = 0 if call_of(task.function) is Call.WAIT and waits_for_sends else task.before_call
        for number in task.open_sends[first:]:
            script += ["await", number]
        del task.open_sends[first:]
        task.function = ""

    def sent(self, task: MessageState, script: Script, peer: int, channel: Channel, size: int) -> None:
        self._post(_Message("send", channel, peer, size), task, script)

    def posted(self, task: MessageState, script: Script, receive: int) -> None:
        self._posts[receive] = (len(self._messages), task, script)
        script += ["post", len(self._messages)]
        self._messages.append(_Message("receive"))

    def received(
        self, task: MessageState | None, script: Script | None, receive: int, peer: int, channel: Channel
    ) -> None:
        """task, script: of who has found it complete, where that is a task."""
        number, poster, of_poster = self._posts.pop(receive, (-1, None, None))
        if poster is None or of_poster is None:
            return
        message = self._messages[number]
        message.peer, message.channel = peer, channel
        if task is not None:
            task.has_received = True
        if poster.waits:
            of_poster += ["await", number]
        elif task is not None and script is not None and (task.waits or (task is poster and not poster.is_explicit)):
            script += ["await", number]
        else:
            message.is_bound = poster.is_explicit

    def finish(self, scripts: Iterable[Script], channels: dict[Channel, int]) -> list[dict[str, Any]]:
        """Settles what the scripts say of messages. channels: numbers of channels, of all processes."""
        for task in self._explicit:
            for number in task.open_sends:
                self._messages[number].is_bound = True
        known = [n for n, message in enumerate(self._messages) if message.peer >= 0 or message.kind == "collective"]
        number_of = {old: new for new, old in enumerate(known)}
        for script in scripts:
            script[:] = self._settled(script, number_of)
        return [self._json(self._messages[n], channels) for n in known]

    def counts(self, rank: int) -> tuple[Counter, Counter, int]:
        """Sends and completed receives by sender, receiver and channel, and how many collective operations."""
        sends = Counter((rank, m.peer, m.channel) for m in self._messages if m.kind == "send")
        receives = Counter((m.peer, rank, m.channel) for m in self._messages if m.kind == "receive" and m.peer >= 0)
        return sends, receives, sum(m.kind == "collective" for m in self._messages)

    def _post(self, message: _Message, task: MessageState, script: Script) -> None:
        script += ["post", len(self._messages)]
        if task.is_explicit and not task.open_sends:
            self._explicit.append(task)
        task.open_sends.append(len(self._messages))
        self._messages.append(message)

    def _settled(self, script: Script, number_of: dict[int, int]) -> Script:
        result: Script = []
        for op, value in zip(script[::2], script[1::2]):
            if op not in ("post", "await"):
                result += [op, value]
            elif value in number_of:
                result += [op, number_of[value]]
                if op == "post" and self._messages[value].is_bound:
                    result += ["bind", number_of[value]]
        return result

    @staticmethod
    def _json(message: _Message, channels: dict[Channel, int]) -> dict[str, Any]:
        if message.kind == "collective":
            return {"kind": message.kind}
        channel = channels.setdefault(message.channel, len(channels))
        result = {"kind": message.kind, "peer": message.peer, "channel": channel}
        return result | ({"bytes": message.bytes} if message.kind == "send" else {})


def check(processes: list[ProcessMessages]) -> None:
    """Errors: UserError for a message without its other end, or collective operations that not all take part in."""
    sends: Counter = Counter()
    receives: Counter = Counter()
    collectives = []
    for rank, process in enumerate(processes):
        mine = process.counts(rank)
        sends += mine[0]
        receives += mine[1]
        collectives.append(mine[2])
    for source, sink, channel in sorted(sends.keys() | receives.keys()):
        sent, received = sends[source, sink, channel], receives[source, sink, channel]
        if sent != received:
            raise UserError(
                f"rank {source} sends {sent} messages of tag {channel[1]} to rank {sink}, which receives {received}; "
                "a trace in which each message has both its ends is needed"
            )
    if len(set(collectives)) > 1:
        few, many = min(collectives), max(collectives)
        raise UserError(
            f"rank {collectives.index(few)} takes part in {few} collective operations, rank {collectives.index(many)} "
            f"in {many}; only those of all ranks can be simulated"
        )
