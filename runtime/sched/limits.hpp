// The figures by which it is decided where tasks go: each stands here once, with what it was measured by.
//
// All are from two processors (docs/runtime/policy.md); where one depends on the size of a team it says so.
#pragma once

#include <cstdint>

namespace heddle::limits {

// -- what bodies take, in nanoseconds of a processor

/// To create a task that others may take, and to hand it over. Measured: bench/tasks, independent and chain,
/// HEDDLE_THROTTLE=1024 against a team of one.
inline constexpr std::uint64_t kSharingNs = 150;
/// Below this a body is *short*: with its data in another processor's cache it takes far longer than alone.
/// Measured: bench/tasks, listing1 and producer; bench/graphs, dotp and axpy.
inline constexpr std::int64_t kShortNs = 500;
/// From this on it is *long*: to fetch its data from another cache is little beside it. Measured:
/// bench/tasks, sweeps and nqueens.
inline constexpr std::int64_t kLongNs = 2000;

// -- what is queued, in tasks

/// Enough for every thread of a large team to find work; more only costs memory and cache.
inline constexpr std::int64_t kQueued = 1024;
/// The same where tasks may suspend: who waits for one that is queued keeps a stack meanwhile, and a creator
/// that helps begins others. Measured: examples/suspension/taskwait_detach with 2, 4 and 8 threads, 40 ns a
/// continuation and 200 stacks at once; with 1024 queued up to 2,100 ns and 139,000 stacks.
inline constexpr std::int64_t kQueuedOnStacks = 128;
/// The same of a creator that is part of a recursion: thieves take the oldest, which are the largest.
/// Measured: bench/tasks, fib and nqueens.
inline constexpr std::int64_t kQueuedInRecursion = 4;
/// Generations below the implicit task from which on a creator is taken for part of a recursion.
inline constexpr unsigned kRecursion = 2;
/// How deep tasks are executed inside the creation of tasks, one in another: a stack has to hold them.
inline constexpr int kDeepestInline = 64;
/// Contexts that a thread has left, from which on a taskyield starts another task only where so many were
/// since the last that did. Measured: fib with a yield in every fifth call.
inline constexpr int kContexts = 64;
/// Incomplete children from which on a creator executes some before it creates more, in all and per thread of
/// its team. Measured: bench/tasks, live-chain and stencil.
inline constexpr std::int64_t kChildren = 1024, kChildrenPerThread = 32, kMostChildren = 1 << 24;

// -- how often something is tried again that was in vain, in tasks that are created meanwhile

/// To execute what is ready, where the creator has too many children.
inline constexpr std::uint32_t kHelpPause = 8, kLongestHelpPause = 1024;
/// To execute a recursion's tasks at their creation, where they are long. One in a thousand leaves others
/// alone.
inline constexpr std::uint32_t kRecursionPause = 1, kLongestRecursionPause = 1024;
/// To execute short tasks at their creation: see sched/spawn_policy.hpp, which lets it grow by what was lost.
inline constexpr std::uint32_t kAlonePause = 64, kLongestAlonePause = 1 << 20;

}  // namespace heddle::limits
