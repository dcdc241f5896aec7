"""Addresses of a thread's variables that machine code keeps while it may change its thread.

    .venv/bin/python tests/unit/runtime/thread_pointers.py LIBRARY…    lists them; exit status 1 where there are any

A library comes behind those whose functions it calls.

A compiler takes for granted that a function stays on its thread. It may compute where a thread_local variable lies, or
errno, once, and use that address again after a call. Where a task has been suspended in that call, and has gone on with
another thread, the address is another thread's. Sources do not show it: the compiler chooses which addresses it keeps.

Here each function is disassembled. An address begins at an instruction that reads the thread pointer, or at the call of
a function that returns such an address. It is followed through registers and the function's own stack along every path.
After a call that may switch contexts it is *stale*; a use of a stale address is a finding. Such calls are those of
functions that reach switch_context(), of functions that are not known (function pointers), and of exported functions of
another library of ours that do so.

Processors: x86-64 and AArch64, as the ELF file says.
"""

from __future__ import annotations

import bisect
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import capstone
from capstone import x86_const
from elftools.elf.elffile import ELFFile

ROOT = Path(__file__).resolve().parents[3]
# The functions in which a thread goes on elsewhere.
SWITCHES = ("jump_fcontext", "ontop_fcontext")
# Functions that call a pointer, which is none of the program's: why they stay on their thread.
EXCUSED = {
    "heddle::processor_number()": "its variable is made by take_number(), which executes no task",
}
# They return the address of a variable of the calling thread; compilers know that some always return the same.
_RETURN_ADDRESSES = ("__errno_location", "__tls_get_addr", "__cxa_get_globals", "__h_errno_location")


@dataclass(frozen=True)
class Finding:
    function: str
    begins: int  # where the address was computed
    switched: int  # a call after which it is stale
    used: int  # where it is used all the same

    def __str__(self) -> str:
        return f"{self.function}: computed at {self.begins:#x}, stale after {self.switched:#x}, used at {self.used:#x}"


@dataclass(frozen=True)
class Address:
    """What a register holds."""

    begins: int
    switched: int = 0  # 0: it is not stale


_TLSDESC = 1031  # R_AARCH64_TLSDESC (ELF for the Arm 64-bit Architecture, dynamic relocations)


class Processor:
    """What the analysis has to know of an instruction set. Registers have the name of the widest."""

    result: str  # the register of a function's result
    arguments: tuple[str, ...]
    preserved: frozenset[str]  # by a call
    stack: frozenset[str]  # pointers to the function's own frame
    copies: tuple[str, ...]  # instructions whose result is an address where an operand is

    def __init__(self, architecture: int, mode: int) -> None:
        self.machine = capstone.Cs(architecture, mode)
        self.machine.detail = True

    def name(self, register: int) -> str:
        raise NotImplementedError

    def reads_thread_pointer(self, instruction: capstone.CsInsn) -> bool:
        raise NotImplementedError

    def target(self, instruction: capstone.CsInsn) -> int | None:
        """Where a call or jump goes; None where a register says."""
        last = instruction.operands[-1]
        return last.imm if last.type == capstone.CS_OP_IMM else None

    def accesses(self, instruction: capstone.CsInsn) -> list[Any]:
        """The memory that it accesses: base, index, disp, and on x86 segment."""
        if instruction.mnemonic == "lea":
            return []
        return [operand.mem for operand in instruction.operands if operand.type == capstone.CS_OP_MEM]


class X86(Processor):
    result = "rax"
    arguments = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")
    preserved = frozenset(("rbx", "rbp", "r12", "r13", "r14", "r15", "rsp"))
    stack = frozenset(("rsp", "rbp"))
    copies = ("mov", "lea", "add", "sub", "xchg", "cmov")

    def __init__(self) -> None:
        super().__init__(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._wide = {}
        for a in ("ax", "bx", "cx", "dx"):
            self._wide |= dict.fromkeys((f"e{a}", a, f"{a[0]}l", f"{a[0]}h"), f"r{a}")
        for a in ("si", "di", "bp", "sp"):
            self._wide |= dict.fromkeys((f"e{a}", a, f"{a}l"), f"r{a}")
        for number in range(8, 16):
            self._wide |= dict.fromkeys((f"r{number}d", f"r{number}w", f"r{number}b"), f"r{number}")

    def name(self, register: int) -> str:
        narrow = self.machine.reg_name(register) or ""
        return self._wide.get(narrow, narrow)

    def reads_thread_pointer(self, instruction: capstone.CsInsn) -> bool:
        # mov %fs:0, register; the ABI has the thread pointer itself there.
        return any(
            memory.segment == x86_const.X86_REG_FS and memory.base == memory.index == memory.disp == 0
            for memory in self.accesses(instruction)
        )


class Arm(Processor):
    result = "x0"
    arguments = tuple(f"x{number}" for number in range(8))
    preserved = frozenset((*(f"x{number}" for number in range(19, 30)), "sp"))
    stack = frozenset(("sp", "x29"))
    copies = ("mov", "add", "sub", "csel")

    def __init__(self) -> None:
        super().__init__(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)

    def name(self, register: int) -> str:
        narrow = self.machine.reg_name(register) or ""
        if narrow[:1] == "w" and narrow[1:].isdigit():
            return f"x{narrow[1:]}"
        return {"fp": "x29", "lr": "x30"}.get(narrow, narrow)

    def reads_thread_pointer(self, instruction: capstone.CsInsn) -> bool:
        return instruction.mnemonic == "mrs" and "tpidr_el0" in instruction.op_str.lower()


_PROCESSORS = {"EM_X86_64": X86, "EM_AARCH64": Arm}


@dataclass(frozen=True)
class Function:
    name: str
    begin: int
    end: int


@dataclass
class Library:
    """A shared library with its symbol table. Errors: ValueError for a file without one, or of another processor."""

    path: Path
    switching_elsewhere: frozenset[str] = frozenset()  # exported functions of other libraries that may switch
    processor: Processor = field(init=False)
    functions: list[Function] = field(init=False)
    exports: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        with open(self.path, "rb") as file:
            elf = ELFFile(file)
            machine = elf["e_machine"]
            if machine not in _PROCESSORS:
                raise ValueError(f"{self.path}: machine code of {machine} is not known here")
            self.processor = _PROCESSORS[machine]()
            table = elf.get_section_by_name(".symtab")
            if table is None:
                raise ValueError(f"{self.path} has no symbol table")
            found: dict[int, Function] = {}
            for symbol in table.iter_symbols():
                if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_size"] and symbol["st_shndx"] != "SHN_UNDEF":
                    begin = symbol["st_value"]
                    found.setdefault(begin, Function(symbol.name, begin, begin + symbol["st_size"]))
            self.functions = sorted(found.values(), key=lambda function: function.begin)
            self._begins = [function.begin for function in self.functions]
            dynamic = elf.get_section_by_name(".dynsym")
            self.exports = {
                symbol.name: symbol["st_value"]
                for symbol in dynamic.iter_symbols()
                if symbol["st_shndx"] != "SHN_UNDEF" and symbol["st_info"]["type"] == "STT_FUNC"
            }
            # Slots of the global offset table, by the name of what the dynamic linker puts there.
            self._slots: dict[int, str] = {}
            self._descriptors: set[int] = set()  # of variables of threads (TLS descriptors)
            for name in (".rela.plt", ".rela.dyn"):
                if section := elf.get_section_by_name(name):
                    symbols = elf.get_section(section["sh_link"])
                    for relocation in section.iter_relocations():
                        if machine == "EM_AARCH64" and relocation["r_info_type"] == _TLSDESC:
                            self._descriptors.add(relocation["r_offset"])
                        if index := relocation["r_info_sym"]:
                            self._slots[relocation["r_offset"]] = symbols.get_symbol(index).name
            self._code = [
                (section["sh_addr"], section.data(), section.name)
                for section in elf.iter_sections()
                if section["sh_flags"] & 4 and section["sh_type"] == "SHT_PROGBITS"  # it is executed
            ]

    def bytes_of(self, function: Function) -> bytes:
        for begin, data, _ in self._code:
            if begin <= function.begin < begin + len(data):
                return data[function.begin - begin : function.end - begin]
        return b""

    @cached_property
    def instructions(self) -> dict[int, capstone.CsInsn]:
        """All of the functions', by address."""
        disassemble = self.processor.machine.disasm
        return {
            instruction.address: instruction
            for function in self.functions
            for instruction in disassemble(self.bytes_of(function), function.begin)
        }

    @cached_property
    def linkage(self) -> dict[int, str]:
        """Entries of the procedure linkage table, by the name that each calls."""
        found = {}
        for begin, data, name in self._code:
            if not name.startswith(".plt"):
                continue
            entry, page = begin, 0
            for instruction in self.processor.machine.disasm(data, begin):
                slot = None
                if instruction.mnemonic in ("endbr64", "bti"):
                    entry = instruction.address
                elif instruction.mnemonic in ("jmp", "bnd jmp"):
                    for memory in self.processor.accesses(instruction):
                        slot = instruction.address + instruction.size + memory.disp
                        has_mark = entry == instruction.address - 4
                        entry = entry if has_mark else instruction.address
                elif instruction.mnemonic == "adrp":
                    entry, page = instruction.address, instruction.operands[1].imm
                elif instruction.mnemonic == "ldr" and page:
                    slot = page + instruction.operands[1].mem.disp
                if slot in self._slots:
                    found[entry] = self._slots[slot]
        return found

    def function_at(self, address: int) -> Function | None:
        position = bisect.bisect_right(self._begins, address) - 1
        if position < 0 or address >= self.functions[position].end:
            return None
        return self.functions[position]

    def called(self, instruction: capstone.CsInsn) -> int | str | None:
        """An address here, the name of a function of another library, or None: a pointer says."""
        target = self.processor.target(instruction)
        if target is not None:
            name = self.linkage.get(target)
        else:  # call *slot(%rip), where -fno-plt is given
            at = [memory for memory in self.processor.accesses(instruction) if memory.base == x86_const.X86_REG_RIP]
            name = self._slots.get(instruction.address + instruction.size + at[0].disp) if at else None
        return self.exports.get(name, name) if name is not None else target

    @cached_property
    def switching(self) -> set[int]:
        """Where functions begin that may come back on another thread."""
        callers: dict[int, set[int]] = {}
        found: set[int] = set()
        for address, instruction in self.instructions.items():
            is_call, is_jump = _is_call(instruction), _is_jump(instruction)
            if not is_call and not is_jump:
                continue
            caller = self.function_at(address)
            target = self.called(instruction)
            if caller is None:
                continue
            if isinstance(target, int):
                callee = self.function_at(target)
                if callee is not None and callee != caller:
                    callers.setdefault(callee.begin, set()).add(caller.begin)
            elif isinstance(target, str):
                if target in self.switching_elsewhere or target in SWITCHES:
                    found.add(caller.begin)
            elif is_call and not self.asks_descriptor(instruction):
                found.add(caller.begin)
        found |= {function.begin for function in self.functions if function.name in SWITCHES}
        waiting = list(found)
        while waiting:
            for caller in callers.get(waiting.pop(), ()):
                if caller not in found:
                    found.add(caller)
                    waiting.append(caller)
        return found

    def switching_exports(self) -> frozenset[str]:
        """The exported functions that may come back on another thread."""
        return frozenset(name for name, begin in self.exports.items() if begin in self.switching)

    def asks_descriptor(self, call: capstone.CsInsn) -> bool:
        """Whether it is the call of a TLS descriptor, which keeps all registers but x0: adrp, ldr, add, blr."""
        if call.mnemonic != "blr":
            return False
        page, load = self.instructions.get(call.address - 12), self.instructions.get(call.address - 8)
        if page is None or load is None or page.mnemonic != "adrp" or load.mnemonic != "ldr":
            return False
        return page.operands[1].imm + load.operands[1].mem.disp in self._descriptors

    def may_switch(self, call: capstone.CsInsn) -> bool:
        target = self.called(call)
        if isinstance(target, str):
            return target in self.switching_elsewhere or target in SWITCHES
        if target is None:
            return True
        callee = self.function_at(target)
        return callee is not None and callee.begin in self.switching


def _is_call(instruction: capstone.CsInsn) -> bool:
    return instruction.group(capstone.CS_GRP_CALL) or instruction.mnemonic in ("bl", "blr")


def _is_jump(instruction: capstone.CsInsn) -> bool:
    return instruction.group(capstone.CS_GRP_JUMP) and not _is_call(instruction)


def _is_return(instruction: capstone.CsInsn) -> bool:
    return instruction.group(capstone.CS_GRP_RET) or instruction.mnemonic in ("ret", "ud2", "brk", "hlt")


_CONDITIONAL_ON_ARM = ("b.", "cb", "tb")


def _falls_through(instruction: capstone.CsInsn) -> bool:
    if _is_return(instruction):
        return False
    if not _is_jump(instruction):
        return True
    return instruction.mnemonic.startswith(_CONDITIONAL_ON_ARM) or (
        instruction.mnemonic.startswith("j") and instruction.mnemonic != "jmp"
    )


class Analysis:
    """Follows addresses through one library."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.processor = library.processor
        self.findings: set[Finding] = set()
        self.begun = 0  # addresses that begin

    def run(self) -> set[Finding]:
        states: dict[int, set[tuple[str, Address]]] = {}
        waiting: list[tuple[int, frozenset[tuple[str, Address]]]] = []
        for address, instruction in self.library.instructions.items():
            begun = self._begun(instruction)
            if begun is not None:
                self.begun += 1
                waiting.append((address + instruction.size, frozenset({(begun, Address(address))})))
        while waiting:
            address, arriving = waiting.pop()
            known = states.setdefault(address, set())
            new = arriving - known
            instruction = self.library.instructions.get(address)
            if not new or instruction is None:
                continue
            known |= new
            # Each address moves by itself: a register may hold either of two on two paths.
            after = frozenset(pair for place, held in new for pair in self._step(instruction, place, held))
            if not after:
                continue
            if _falls_through(instruction):
                waiting.append((address + instruction.size, after))
            if _is_jump(instruction):
                target = self.processor.target(instruction)
                if target is not None:
                    waiting.append((target, after))
                else:
                    waiting += [(label, after) for label in self._labels(address)]
        return self.findings

    def not_excused(self) -> list[Finding]:
        """What run() finds in functions that have no excuse, in the order of their addresses."""
        found = sorted(self.run(), key=lambda each: each.used)
        mangled = "\n".join(each.function for each in found)
        plain = subprocess.run(["c++filt"], input=mangled, capture_output=True, text=True, check=True).stdout
        return [each for each, name in zip(found, plain.splitlines()) if name not in EXCUSED]

    def _begun(self, instruction: capstone.CsInsn) -> str | None:
        """The place where an address begins, after this instruction."""
        if self.processor.reads_thread_pointer(instruction):
            return next(iter(self._written(instruction)), None)
        if _is_call(instruction) and self.library.called(instruction) in _RETURN_ADDRESSES:
            return self.processor.result
        return None

    def _read(self, instruction: capstone.CsInsn) -> set[str]:
        return {self.processor.name(register) for register in instruction.regs_access()[0]}

    def _written(self, instruction: capstone.CsInsn) -> set[str]:
        return {self.processor.name(register) for register in instruction.regs_access()[1]} - {"rflags", "nzcv"}

    def _slots(self, instruction: capstone.CsInsn) -> list[str]:
        """The slots of the stack that it accesses, as [register+offset]."""
        found = []
        for memory in self.processor.accesses(instruction):
            base = self.processor.name(memory.base)
            if base in self.processor.stack and memory.index == 0:
                is_pair = instruction.mnemonic in ("stp", "ldp")
                found += [f"[{base}{memory.disp + more:+}]" for more in ((0, 8) if is_pair else (0,))]
        return found

    def _addressing(self, instruction: capstone.CsInsn) -> set[str]:
        """The registers whose sum is the address of an access."""
        return {
            self.processor.name(register)
            for memory in self.processor.accesses(instruction)
            for register in (memory.base, memory.index)
            if register
        }

    def _step(self, instruction: capstone.CsInsn, place: str, held: Address) -> Iterator[tuple[str, Address]]:
        """Where an address lies after an instruction, if it does: it may lie in two places then."""
        processor = self.processor
        if _is_call(instruction) and self.library.asks_descriptor(instruction):
            if place != "x0":
                yield place, held
            return
        if _is_call(instruction):
            yield from self._step_call(instruction, place, held)
            return
        slots = self._slots(instruction)
        read, written = self._read(instruction), self._written(instruction)
        is_store = bool(slots) and instruction.mnemonic.startswith(("mov", "st")) and not (written - processor.stack)
        is_load = bool(slots) and instruction.mnemonic.startswith(("mov", "ld")) and bool(written - processor.stack)
        if place in slots:
            if is_load:
                yield place, held
                yield self._loaded_into(instruction, slots, place, written), held
            elif not is_store:
                self._use(instruction, held)
                yield place, held
            return
        is_copy = instruction.mnemonic.startswith(processor.copies) and not slots
        if place in self._addressing(instruction) or (_is_return(instruction) and place == processor.result):
            self._use(instruction, held)
        elif place in read and is_store:
            yield self._stored_into(instruction, slots, place), held
        elif place in read and instruction.mnemonic == "push":
            self._use(instruction, held)
        elif place in read and instruction.mnemonic == "sub" and len(read) == 2:
            pass  # the distance of two addresses is the same for all threads: of_this_thread()
        elif place in read and written and is_copy:
            for target in written - processor.stack:
                if target != place:
                    yield target, held
        elif place in read:
            self._use(instruction, held)
        if place not in written:
            yield place, held
        elif place in read and is_copy and not self._addressing(instruction):
            yield place, held  # something is added to it

    def _step_call(self, instruction: capstone.CsInsn, place: str, held: Address) -> Iterator[tuple[str, Address]]:
        processor = self.processor
        if place in processor.arguments or place in self._read(instruction) - processor.stack:
            self._use(instruction, held)
        if place in processor.preserved or place.startswith("["):
            at = instruction.address if self.library.may_switch(instruction) else 0
            yield place, Address(held.begins, held.switched or at)

    def _stored_into(self, instruction: capstone.CsInsn, slots: list[str], place: str) -> str:
        if len(slots) == 2:
            names = [self.processor.name(operand.reg) for operand in instruction.operands[:2]]
            return slots[names.index(place)]
        return slots[0]

    def _loaded_into(self, instruction: capstone.CsInsn, slots: list[str], place: str, written: set[str]) -> str:
        if len(slots) == 2:
            return self.processor.name(instruction.operands[slots.index(place)].reg)
        return next(iter(written - self.processor.stack))

    def _use(self, instruction: capstone.CsInsn, held: Address) -> None:
        if held.switched:
            function = self.library.function_at(instruction.address)
            name = function.name if function else "?"
            self.findings.add(Finding(name, held.begins, held.switched, instruction.address))

    def _labels(self, address: int) -> list[int]:
        """Where an indirect jump may go: what follows an unconditional one in the same function."""
        function = self.library.function_at(address)
        labels: list[int] = []
        if function is None:
            return labels
        at, falls = function.begin, True
        while (instruction := self.library.instructions.get(at)) is not None and at < function.end:
            if not falls:
                labels.append(at)
            falls = _falls_through(instruction)
            at += instruction.size
        return labels


def main() -> int:
    elsewhere: frozenset[str] = frozenset()
    any_found = False
    for argument in sys.argv[1:]:
        library = Library(Path(argument), elsewhere)
        elsewhere |= library.switching_exports()
        analysis = Analysis(library)
        found = analysis.not_excused()
        any_found |= bool(found)
        print(
            f"{argument}: {len(library.functions)} functions, {len(library.switching)} may switch, "
            f"{analysis.begun} addresses begin"
        )
        for finding in found:
            print(f"  {finding}")
    return int(any_found)


if __name__ == "__main__":
    sys.exit(main())
