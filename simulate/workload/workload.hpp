// What a program does, without its data: tasks, what each of them does in order, and how long that takes.
//
// Words: a *script* is what a task does, as operations in order. A *region* has one script that every thread
// of the team executes; what differs between threads is in its operations: *pieces* are dealt out to the
// threads in turn, a *single* is done by who comes first, a *loop* is divided. So a region can be executed by
// any number of threads. A *message* is one end of it, a send or a receive, or a
// part in a collective operation, that a script posts, and awaits or binds to its task.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::simulate {

enum class Op : std::uint8_t {
  kWork,      // value: ns
  kCreate,    // value: a task
  kTaskloop,  // value: a taskloop's script, creations alone
  kTaskwait,  // for the task's children
  kGroupEnd,  // for all that descends from the task
  kBarrier,
  kPieces,  // value: a list of scripts; thread i of N executes those numbered i, i + N, …
  kSingle,  // value: a script
  kLoop,    // value: a loop
  kLock,    // value: a lock
  kUnlock,
  kRegion,  // value: a region
  kRepeat,  // value: a script that is executed several times
  // Values: a message. Await and bind mean its latest posting.
  kPost,
  kAwait,  // the thread stands in MPI until the message is complete
  kBind,   // the task is complete when the message is, too
};

struct Step {
  Op op;
  std::int64_t value;
};
using Script = std::vector<Step>;

// Values of ompt_dependence_type_t.
inline constexpr int kIn = 1, kOut = 2, kInOut = 3, kMutexInOutSet = 4, kInOutSet = 7, kAllMemory = 34;

/// type: ompt_dependence_type_t.
struct DependenceOn {
  std::int64_t address;  // a number of its own for each
  int type;
  std::int64_t bytes = 1;  // that the task works on there; alike for all where nobody knows
};

struct TaskText {
  int kind = 0;
  bool is_undeferred = false;
  bool is_untied = false;
  bool is_background = false;  // executed where nothing else is left, under libheddle's rules
  std::vector<DependenceOn> dependences;
  Script script;
};

/// Of a loop: from and to which of its iterations, as a part of all, 0 to 1.
struct Share {
  double begin, end;
};

enum class Schedule : std::uint8_t { kStatic, kDynamic };

/// Of iterations that take as long as those that one thread executed of it: `parts` are their times in ns, in
/// the order of the iterations, over equal shares.
struct LoopText {
  std::int64_t iterations;
  Schedule schedule;
  std::vector<std::int64_t> parts;
  std::vector<std::int64_t> data = {};  // the address that each part works on; empty: not known

  [[nodiscard]] Share share(std::int64_t begin, std::int64_t end) const {
    const auto all = static_cast<double>(iterations);
    return {static_cast<double>(begin) / all, static_cast<double>(end) / all};
  }
  /// Units: ns.
  [[nodiscard]] double time_of(Share share) const;

  /// Calls visit(part, ns) for each part of which the share has some.
  template <class Visit>
  void for_each_part(Share share, Visit&& visit) const {
    const auto count = static_cast<double>(parts.size());
    for (double at = share.begin; at < share.end;) {
      const double part = std::min(std::floor(at * count + 1e-9), count - 1);
      const double until = std::min(share.end, (part + 1) / count);
      const auto index = static_cast<std::size_t>(part);
      visit(index, (until - at) * count * static_cast<double>(parts[index]));
      if (until <= at) break;
      at = until;
    }
  }
};

struct RegionText {
  int kind;
  int threads;    // of the run that was recorded
  bool is_fixed;  // threads differ in more than the words above can say: as many threads as recorded
  Script script;
};

enum class MessageKind : std::uint8_t { kSend, kReceive, kCollective };

/// channel: a number for each communicator and tag. Of the sends from one process to another on one channel
/// the k-th meets the k-th receive. bytes: of sends. The k-th collective operation of each process is that of
/// all processes; it has no peer and no channel.
struct MessageText {
  MessageKind kind;
  int peer;
  int channel;
  std::int64_t bytes;
};

struct RepeatText {
  std::int64_t times;  // at least 1
  Script script;
};

struct ProcessText {
  std::vector<TaskText> tasks;
  std::vector<RegionText> regions;
  std::vector<LoopText> loops;
  std::vector<Script> scripts;              // of singles
  std::vector<std::vector<Script>> pieces;  // by list
  std::vector<MessageText> messages;
  std::vector<RepeatText> repeats;
  std::vector<Script> taskloops;
  Script main;  // of the initial thread

  /// Its explicit tasks in the order in which a lone thread creates them, each as often as it does.
  [[nodiscard]] std::vector<const TaskText*> created_tasks() const;
};

struct Workload {
  std::string program;
  int threads;                     // of a process of the run that was recorded
  std::vector<std::string> kinds;  // of regions and tasks
  std::vector<ProcessText> processes;

  /// Time that tasks and threads compute, whoever does it: of parts that each thread repeats once. Units: ns.
  [[nodiscard]] double work() const;
};

/// Errors: throws UserError where the file cannot be read, is no workload, or names what is not there.
Workload read_workload(const std::string& path);

}  // namespace heddle::simulate
