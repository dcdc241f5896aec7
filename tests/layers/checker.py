"""Reads #include lines and says which of them layers.toml forbids.

Words: a *tree* is a top-level folder with layers (runtime, amr); a *room* is a folder of a tree. An include is
resolved as the compilers do here: relative to the tree ("sync/deque.hpp"), to the checkout ("amr/mesh/tree.hpp"),
or to the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCES = {".c", ".cc", ".cpp", ".h", ".hpp", ".inc"}
_FEW = 4
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


@dataclass(frozen=True)
class Violation:
    """One forbidden line."""

    file: str
    line: int
    rule: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.rule}"


class Layers:
    """The rules of one layers.toml over the tree that it lies in."""

    def __init__(self, root: Path):
        self.root = root
        with open(root / "layers.toml", "rb") as file:
            rules = tomllib.load(file)
        self.trees: dict[str, dict] = rules["trees"]
        self.names: list[dict] = rules.get("names", [])
        self.headers: list[dict] = rules.get("headers", [])

    def violations(self) -> list[Violation]:
        """Every forbidden line, in the order of the files."""
        found = []
        for tree in self.trees:
            found += self._rooms_without_layer(tree)
            found += self._idle_limits(tree)
            for path in sorted((self.root / tree).rglob("*")):
                if path.suffix in SOURCES and path.is_file():
                    found += self._in_file(tree, path)
            if self.trees[tree].get("acyclic", False):
                found += [
                    Violation(unit, 0, f"includes lead back to it: {' -> '.join([unit, *others, unit])}")
                    for unit, *others in self.cycles(tree)
                ]
        return found

    def cycles(self, tree: str) -> list[list[str]]:
        """The shortest way back to itself of the first unit of each cycle. A unit is a header and its source."""
        included: dict[str, set[str]] = {}
        for path in sorted((self.root / tree).rglob("*")):
            if path.suffix not in SOURCES or not path.is_file():
                continue
            mine = self._unit(path)
            targets = (self._resolve(tree, path, name) for _, is_system, name in self.includes(path) if not is_system)
            units = {self._unit(target) for target in targets if target and target.is_relative_to(self.root / tree)}
            included.setdefault(mine, set()).update(units - {mine})
        found: list[list[str]] = []
        told: set[str] = set()
        for unit in sorted(included):
            way = None if unit in told else _way_back(unit, included)
            if way:
                found.append(way)
                told.update(way)
        return found

    def _unit(self, path: Path) -> str:
        return path.relative_to(self.root).with_suffix("").as_posix()

    def includes(self, path: Path) -> Iterator[tuple[int, bool, str]]:
        """Line number, whether it is a system include, and the name."""
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            if match := _INCLUDE.match(line):
                yield number, match[1] == "<", match[2]

    def _in_file(self, tree: str, path: Path) -> Iterator[Violation]:
        name = path.relative_to(self.root).as_posix()
        for number, is_system, header in self.includes(path):
            rule = self._system_rule(name, header) if is_system else self._include_rule(tree, path, header)
            if rule:
                yield Violation(name, number, rule)
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            for rule in self.names:
                if _applies(rule, name) and (match := re.search(rule["pattern"], line)):
                    places = rule["only"]
                    where = ", ".join(places) if len(places) <= _FEW else "the files that layers.toml lists"
                    yield Violation(name, number, f"the name {match[0]} belongs in {where}: {rule['why']}")

    def _include_rule(self, tree: str, path: Path, header: str) -> str | None:
        if header in self.trees[tree].get("generated", []):
            return None
        target = self._resolve(tree, path, header)
        if target is None:
            return f'"{header}" is no file of {tree}/, of the checkout or beside this one'
        mine = self._room(path.relative_to(self.root))
        theirs = self._room(target.relative_to(self.root))
        if mine == theirs:
            return None
        if theirs[0] != tree:
            room = "/".join(theirs).rstrip("/")
            return None if room in self.trees[tree].get("sees", []) else f"{tree} may not know {room}"
        rules = self.trees[tree]
        if theirs[1] in rules.get("open", []):
            return None
        order = {room: height for height, layer in enumerate(rules["layers"]) for room in layer}
        if mine[1] in rules.get("open", []):
            return f"{tree}/{mine[1]} may know no room of {tree}"
        if mine[1] not in order or theirs[1] not in order:
            return None  # said once, by _rooms_without_layer
        if order[theirs[1]] < order[mine[1]]:
            return f"{tree}/{mine[1]} may not know {tree}/{theirs[1]}, which is above it"
        limit = rules.get("limits", {}).get(mine[1])
        if limit is not None and target.relative_to(self.root / tree).as_posix() not in limit:
            return f"{tree}/{mine[1]} may know the headers alone that layers.toml lists as its limit"
        return None

    def _resolve(self, tree: str, path: Path, header: str) -> Path | None:
        interfaces = tuple(self.root / tree / "include" for tree in ("runtime", "mpi", "machine"))
        for base in (path.parent, self.root / tree, self.root, *interfaces):
            candidate = (base / header).resolve()
            if candidate.is_file() and candidate.is_relative_to(self.root):
                return candidate
        return None

    def _system_rule(self, name: str, header: str) -> str | None:
        for rule in self.headers:
            if _applies(rule, name) and re.search(rule["pattern"], header):
                return f"<{header}> belongs in {', '.join(rule['only'])}: {rule['why']}"
        # The extension interface is also included as users do.
        if header == "heddle.h" or not (self.root / header).is_file():
            return None
        return f"<{header}> is one of our own files: include it with quotes"

    def _rooms_without_layer(self, tree: str) -> Iterator[Violation]:
        rules = self.trees[tree]
        if not rules["layers"] or not (self.root / tree).is_dir():
            return
        known = {room for layer in rules["layers"] for room in layer} | set(rules.get("open", []))
        for folder in sorted((self.root / tree).iterdir()):
            has_sources = folder.is_dir() and any(path.suffix in SOURCES for path in folder.rglob("*"))
            if has_sources and folder.name not in known:
                yield Violation(f"{tree}/{folder.name}", 0, "this room is in no layer of layers.toml")

    def _idle_limits(self, tree: str) -> Iterator[Violation]:
        """Headers of a limit that nobody in its room includes: the limit is to shrink with the room."""
        for room, limit in self.trees[tree].get("limits", {}).items():
            included = set()
            for path in sorted((self.root / tree / room).rglob("*")):
                if path.suffix in SOURCES and path.is_file():
                    included.update(header for _, is_system, header in self.includes(path) if not is_system)
            if included:
                for header in sorted(set(limit) - included):
                    yield Violation(f"{tree}/{room}", 0, f"its limit names {header}, which none of its files includes")

    @staticmethod
    def _room(relative: Path) -> tuple[str, str]:
        return (relative.parts[0], relative.parts[1] if len(relative.parts) > 2 else "")


def _way_back(unit: str, included: dict[str, set[str]]) -> list[str] | None:
    """The units from this one to the one that includes it, where there is such a way: the shortest."""
    came_from: dict[str, str | None] = {unit: None}
    queue = [unit]
    for at in queue:
        for target in sorted(included.get(at, ())):
            if target == unit:
                way = [at]
                while came_from[way[0]] is not None:
                    way.insert(0, came_from[way[0]])
                return way
            if target not in came_from:
                came_from[target] = at
                queue.append(target)
    return None


def _applies(rule: dict, name: str) -> bool:
    """Whether the file lies where the rule holds, and is not and lies not in what it makes an exception of."""
    return name.startswith(f"{rule['within']}/") and not any(
        name == place or name.startswith(f"{place}/") for place in rule["only"]
    )
