"""No function of ours keeps the address of a thread's variable while it may change its thread, by either compiler."""

import os
import subprocess

import pytest
import thread_pointers
from thread_pointers import ROOT, Analysis, Library


@pytest.mark.parametrize("build", ["release", "release-clang"])
def test_no_address_is_kept_over_a_switch(build):
    folder = ROOT / "build" / build / "lib"
    runtime = Library(folder / "libheddle.so")
    # Those that suspend are known, and those that a thread calls before there are tasks are not among them.
    assert {"GOMP_taskwait", "__kmpc_omp_taskwait", "omp_set_lock"} <= runtime.switching_exports()
    assert "omp_get_wtime" not in runtime.switching_exports()
    messages = Library(folder / "libheddle-mpi.so", runtime.switching_exports())
    assert [str(each) for library in (runtime, messages) for each in Analysis(library).not_excused()] == []


# HERE: the address in a register. x86-64 addresses the variable itself by a segment register, each time anew.
PROGRAM = """
#include "sys/thread_pointer.hpp"
using heddle::of_this_thread;
extern "C" {
#define HERE long* here = &mine; __asm__("" : "+r"(here));
__thread long mine __attribute__((tls_model("initial-exec")));
void look(long*);
void jump_fcontext(void);
__attribute__((noinline)) void suspends(void) { jump_fcontext(); }
__attribute__((noinline)) void returns(void) { __asm__ volatile(""); }
}
"""
STALE = {
    "in a register": "void f(void) { HERE look(here); suspends(); *here = 1; }",
    "on the stack": "void f(void) { long* volatile here = &mine; suspends(); *here = 1; }",
    "by a pointer": "void f(void (*call)(void)) { HERE call(); *here = 1; }",
    "in a loop": "void f(int n) { HERE while (n-- > 0) { *here = n; suspends(); } }",
    "passed on": "void f(void) { HERE suspends(); look(here); }",
    "returned": "long* f(void) { HERE suspends(); return here; }",
    "errno": "#include <errno.h>\nvoid f(void) { int* here = &errno; suspends(); *here = 1; }",
    "behind a branch": "void f(int n) { HERE if (n) suspends(); else returns(); *here = 1; }",
}
FRESH = {
    "asked anew": "void f(void) { of_this_thread(mine) = 1; suspends(); of_this_thread(mine) = 2; }",
    "no switch": "void f(void) { HERE returns(); *here = 1; }",
    "a value": "long f(void) { long value = mine; suspends(); return value; }",
    "no longer used": "void f(void) { HERE look(here); suspends(); }",
}


# Another processor's compiler: tests/systems/emulated/steps.py.
COMPILER = os.environ.get("CXX", "g++")


def analysed(tmp_path, function: str) -> set[thread_pointers.Finding]:
    source, library = tmp_path / "program.cpp", tmp_path / "program.so"
    begin, _, end = function.rpartition("\n")
    source.write_text(f'{begin}\n{PROGRAM}\nextern "C" {{\n{end}\n}}\n')
    options = ["-O2", "-shared", "-fPIC", "-fno-optimize-sibling-calls", "-I", ROOT / "runtime"]
    subprocess.run([COMPILER, *options, source, "-o", library], check=True)
    return Analysis(Library(library)).run()


@pytest.mark.parametrize("what", STALE)
def test_an_address_that_is_kept_is_found(tmp_path, what):
    found = analysed(tmp_path, STALE[what])
    assert {each.function for each in found} == {"f"}


@pytest.mark.parametrize("what", FRESH)
def test_what_is_not_kept_is_not_found(tmp_path, what):
    assert analysed(tmp_path, FRESH[what]) == set()


def test_compilers_keep_addresses_that_instructions_do_not_contain(tmp_path):
    """Why of_this_thread() is there: x86-64 has a segment register for these variables."""
    found = analysed(tmp_path, "void f(void) { mine = 1; suspends(); mine = 2; }")
    assert {each.function for each in found} == ({"f"} if "aarch64" in COMPILER else set())


def test_a_library_without_symbols_is_refused(tmp_path):
    library = tmp_path / "program.so"
    source = tmp_path / "program.c"
    source.write_text("int f(void) { return 1; }\n")
    subprocess.run(["gcc", "-shared", "-s", source, "-o", library], check=True)
    with pytest.raises(ValueError, match="no symbol table"):
        Library(library)
