// The figures by which it is decided where tasks go: each stands here once, with what it was measured by.
//
// All are from two processors (docs/runtime/policy.md); where one depends on the size of a team it says so.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::limits {

// -- what bodies take, in nanoseconds of a processor

/// To create a task that others may take, and to hand it over. Measured: bench/kernels/tasks, independent and
/// chain, HEDDLE_THROTTLE=1024 against a team of one.
inline constexpr std::uint64_t kSharingNs = 150;
/// Below this a body is *short*: it takes far longer where its data is in another processor's cache.
/// Measured: bench/kernels/tasks, listing1 and producer; bench/kernels/graphs, dotp and axpy.
inline constexpr std::int64_t kShortNs = 500;
/// From this on it is *long*: to fetch its data from another cache is little beside it. Measured:
/// bench/kernels/tasks, sweeps and nqueens.
inline constexpr std::int64_t kLongNs = 2000;

// -- what is queued, in tasks

/// Enough for every thread of a large team to find work; more only costs memory and cache.
inline constexpr std::int64_t kQueued = 1024;
/// The same where tasks may suspend: a context that waits for a queued one keeps a stack meanwhile, and a
/// creator that helps begins others. Measured: examples/suspension/taskwait_detach with 2, 4 and 8 threads,
/// 40 ns a continuation and 200 stacks at once; with 1024 queued up to 2,100 ns and 139,000 stacks.
inline constexpr std::int64_t kQueuedOnStacks = 128;
/// The same of a creator that is part of a recursion: thieves take the oldest, which are the largest.
/// Measured: bench/kernels/tasks, fib and nqueens.
inline constexpr std::int64_t kQueuedInRecursion = 4;
/// Generations below the implicit task from which on a creator is taken for part of a recursion.
inline constexpr unsigned kRecursion = 2;
/// How deep tasks are executed inside the creation of tasks, one in another: a stack has to hold them.
inline constexpr int kDeepestInline = 64;
/// Contexts that a thread has left, from which on a taskyield starts another task only where so many were
/// since the last that did. Measured: fib with a yield in every fifth call.
inline constexpr int kContexts = 64;
/// Incomplete children from which on a creator executes some before it creates more, in all and per thread of
/// its team. Measured: bench/kernels/tasks, live-chain and stencil.
inline constexpr std::int64_t kChildren = 1024, kChildrenPerThread = 32, kMostChildren = 1 << 24;

// -- how often something is tried again that was in vain, in tasks that are created meanwhile

/// To execute what is ready, where the creator has too many children.
inline constexpr std::uint32_t kHelpPause = 8, kLongestHelpPause = 1024;
/// To execute a recursion's tasks at their creation, where they are long. One in a thousand does
/// not disturb others.
inline constexpr std::uint32_t kRecursionPause = 1, kLongestRecursionPause = 1024;
/// To execute short tasks at their creation: see sched/spawn_policy.hpp, which lets it grow by what was lost.
inline constexpr std::uint32_t kSerialPause = 64, kLongestSerialPause = 1 << 20;

/// To replay a record serially, or by the team again, in executions of it (sched/serial_replay_choice.hpp).
inline constexpr std::uint32_t kSerialReplayPause = 8, kLongestSerialReplayPause = 1024;

/// Looks of a wait, one after the other in vain, before one at what anybody has; then twice as many. Measured
/// on 16 simulated processors (bench/studies/nested_tasks.py): `groups` takes 1.35 ms, and 1.44 without such
/// looks; 8 give the same.
inline constexpr std::uint64_t kLooksInVain = 64;

// -- how lengths are sampled

/// One task of so many is timed, once nothing is new.
inline constexpr std::uint32_t kSeldom = 64;
/// Samples in a row that decide that tasks are long, and that they are short.
inline constexpr int kVotesForLong = 4, kVotesForShort = 16;
/// Tasks between two looks at the clock while a creator executes short tasks at their creation: so many long
/// ones may come one after the other. What it may lose before it stops, at first and at most.
inline constexpr std::uint32_t kSerialLook = 4;
inline constexpr std::uint64_t kFirstCreditNs = 5'000, kMostCreditNs = 100'000;

// -- how long somebody waits before something else is done

/// A creator for its children, before it takes its tasks for long: without a task to execute, and in all.
inline constexpr std::uint64_t kPatienceUs = 20, kMostPatienceUs = 500;
/// A producer that holds back, without a completion: what the others wait for may be its own to do. That is
/// likely where all others sleep; where one is in a task, it may only have lost its processor for a while.
inline constexpr std::int64_t kAllAsleepNs = 50'000, kStalledNs = 10'000'000;
/// Looks between two yields of a member that waits where there are tasks: more of them come, and sleep costs
/// as much as some dozens of looks.
inline constexpr int kLooksAYield = 32;
/// The first taskloop of a region for another thread. Where processors are idle (two of a virtual machine) a
/// wake-up takes 15 to 60 us, in one case of 100 more than 100.
inline constexpr std::uint64_t kWakeUpUs = 500;

// -- how a waiting thread spins

/// Where no other process wants the processor. Serial parts of fork-join programs last for up to some
/// milliseconds, and a wake-up costs some 50 us on virtual machines, once for each thread.
inline constexpr std::int64_t kSpinNs = 10'000'000, kActiveSpinNs = 500'000'000;
/// A yield that takes less found no other thread ready on its processor: the system call takes 0.3 to 0.6 us,
/// a switch to another thread and back 3 us or more.
inline constexpr std::int64_t kUnwantedNs = 1'000;
/// A yield, or a few looks, take microseconds, and among threads of this process some hundred at most. Where
/// the clock says so much, another process had the processor for a time slice. Waiting threads of this
/// process then sleep at once for as long as that was: a yield would hand over the processor for another time
/// slice, while a sleeper that is woken comes first. Measured beside two busy processes on two processors,
/// without: barriers 1.4, tasks of 5 us on four threads 2.5, dynamic loops 1.3 times as long.
inline constexpr std::int64_t kPreemptedNs = 1'000'000;
/// When the machine is oversubscribed, threads of this process that compute look like others. Sleeping costs
/// a wake-up each time, so it lasts a time slice at most, which halves what a thread that stays can take.
inline constexpr std::int64_t kSliceNs = 4'000'000;
/// Of so many looks at the clock, 3 us apart, one gives the processor away.
inline constexpr int kChecksAYield = 16;

// -- taskloops

/// A batch of chunks: a hundred times what handing on the rest of a range costs, and still little to wait for
/// at a loop's end.
inline constexpr std::uint64_t kBatchUs = 10;
/// A batch that was short so far may hold a few chunks that are long: a range looks at the clock after one
/// chunk, two, four, and then every so many; all but these can be stolen while one of them lasts. Measured on
/// two processors with empty chunks: 16 in place of 128 cost 6 % of the loop's time. A batch grows at once by
/// no more than kMostGrowth times.
inline constexpr std::uint64_t kMostBetweenLooks = 32, kMostGrowth = 8;
/// Tasks that a range puts into an empty queue.
inline constexpr std::int64_t kOffered = 2;

// -- taskgraphs

/// To make a graph and to execute it for the first time, for each task.
inline constexpr std::int64_t kGraphNs = 250;
/// What a graph saves in so many executions is less than it costs. Measured: heddle-amr. Records that were
/// reset before that, in a row, from which on no graph is made.
inline constexpr std::uint64_t kFewExecutions = 2;
inline constexpr int kManyEarlyResets = 2;
/// Replays of a record that may have begun before the first of them is complete. More let a thread run ahead
/// further, and each costs four bytes a segment.
inline constexpr std::size_t kReplays = 4;
/// Nodes of a segment: a thread executes no more of them before it looks for more urgent tasks.
inline constexpr std::uint32_t kLongestChain = 64;
/// Like nodes that are worth a bundle: fewer are as well off with a Task each.
inline constexpr std::uint32_t kSmallestBundle = 4;
/// Predecessors from which on a second task that waits for them is worth a join.
inline constexpr std::size_t kJoined = 4;

// -- room

/// Tasks in an affinity inbox from which on it takes no more; and at most so many are posted at once.
inline constexpr std::uint32_t kMostInInbox = 256;
/// Tasks on one stack, where a task that waits executes others on top of its own.
inline constexpr int kDeepestInPlace = 1000;

}  // namespace heddle::limits
