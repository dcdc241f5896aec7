// Transparent tasks: what their children name in depend clauses is ordered with what their siblings name, as
// if the children stood in their place. Nobody waits for a whole task where some of what it does would do.
//
// Words
//   relay     a task without code: complete as soon as it waits for nothing more
//   import   the relay that the children of a transparent task wait for where they name an address: it stands
//            for what earlier siblings of the task do there
//   export   the relay that later siblings wait for: it stands for what they would wait for of an ordinary
//            task with that dependence, for the body, and for what the children do there
//   weak     a dependence that a transparent task itself does not wait for: it has an import. Where it is
//            not, the task has waited before it creates children
//
// So each address of the task's depend clauses has an export, and maybe an import; or one of each stands for
// all memory, since OpenMP's clause orders whatever the children name. The parent's dependence table has the
// exports and not the task; its own table begins with the imports.
//
// An import counts as a child of the task: while one is incomplete, no child is executed without a look at
// the table, and a taskwait in the task waits for it, too. A wait in such a task leaves its thread
// (suspend/): what it waits for may be tasks that a thread may not start on top of it.
//
// A tool could not be shown this. While one is active the task is an ordinary one, and the code around its
// body (abi/) waits for its children.
//
// Source: transparent of OpenMP 6.0, section 17.9.6; weak dependences of OmpSs-2, "Improving the integration
// of task nesting and dependencies in OpenMP", Perez, Beltran, Labarta, Ayguade, IPDPS 2017.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "team/team.hpp"

namespace heddle {

/// Says so of a task that is about to be created. Requires: it is not published.
void make_transparent(Member& me, Task& task, Transparency how);

/// Registers a transparent task of the current one with its siblings. Returns whether it waits for nobody. A
/// deferred one is ready then, but for this. Requires: no tool is active.
bool register_transparent(Member& me, Task& task, std::span<const Dependence> dependences);

/// In place of that where a tool is active: what an ordinary task would have to depend on. And whether that
/// was called for a task: its body ends with a taskwait.
std::span<const Dependence> forget_transparency(Task& task, std::span<const Dependence> dependences);
bool is_transparency_forgotten(const Task& task);

/// Around the body of a registered one; the first before it creates children. Without effect after
/// forget_transparency(). Threads: the one that executes the task.
void begin_transparent(Member& me, Task& task);
void end_transparent(Member& me, Task& task);

}  // namespace heddle
