// Calls of MPI that are recorded: their begin and end.
//
// The room stands before MPI's functions, by their names (the profiling interface of MPI). It records what
// programs in C and C++ call, from MPI_Init() to MPI_Finalize(); calls outside pass through, as do the forms
// with MPI_Count and those of sessions. Each call goes on to the next definition of its name: MPI's own, or
// that of a *layer*, another library that stands before MPI, as libheddle-mpi does.
//
// Words: a call is the *program's* unless the layer makes it. A layer may make several calls of one, so its
// own are not recorded; only the receives that they complete are.
//
// Invariant: a begin has an end. A layer may suspend the task that calls and go on with it on another thread:
// both are of the same task, not of the same thread. Therefore nothing here is kept by thread.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>

namespace heddle::tracer {

/// Once MPI_Init() has done its work, until MPI_Finalize().
extern std::atomic<bool> g_is_recording;

/// Finds the layer. Call it once, before g_is_recording is set.
void find_layer();

/// The definition of a name that comes after this library's; null: there is none.
void* next_definition(const char* name);

/// The name of a function, and its number in the file, which is made when it is wanted first.
class FunctionName {
 public:
  explicit constexpr FunctionName(const char* name) : name_(name) {}
  std::uint64_t number();

 protected:
  const char* name_;

 private:
  std::atomic<std::uint64_t> number_{0};
};

/// What one of our functions stands before. Threads: any.
template <class Function>
class Wrapped : public FunctionName {
 public:
  constexpr Wrapped(const char* name, Function* of_mpi) : FunctionName(name), of_mpi_(of_mpi) {}

  Function* next() {
    // relaxed: whoever looks finds the same
    Function* next = next_.load(std::memory_order_relaxed);
    if (next != nullptr) [[likely]]
      return next;
    next = reinterpret_cast<Function*>(next_definition(name_));
    if (next == nullptr) next = of_mpi_;  // MPI is loaded where only those who asked for it see its names
    next_.store(next, std::memory_order_relaxed);
    return next;
  }

 private:
  Function* of_mpi_;
  std::atomic<Function*> next_{nullptr};
};

/// A call from its begin to its end, where it is the program's. Not inlined: see the invariant, a compiler
/// may keep the address of what is a thread's over the call.
class Call {
 public:
  [[gnu::noinline]] Call(FunctionName& name, const void* caller);
  [[gnu::noinline]] ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Whether the messages of this call are to be recorded.
  [[nodiscard]] bool is_recorded() const { return number_ != 0; }
  /// Whether the receives that this call completes are to be recorded.
  [[nodiscard]] bool sees_completions() const { return sees_completions_; }

 private:
  std::uint64_t number_ = 0;  // of the name; 0: it is not recorded
  bool sees_completions_;
};

/// A call that often finds nothing, and is recorded only when it has found something: the programs that ask
/// do so a million times a second.
class Poll {
 public:
  Poll(FunctionName& name, const void* caller);
  [[gnu::noinline]] ~Poll();
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  /// Records the begin of the call, when it was.
  void found_something();

  [[nodiscard]] bool is_recorded() const { return is_programs_; }
  [[nodiscard]] bool sees_completions() const { return sees_completions_; }

 private:
  FunctionName& name_;
  std::uint64_t began_ = 0;
  std::uint64_t number_ = 0;
  bool sees_completions_;
  bool is_programs_;
};

}  // namespace heddle::tracer

#define HEDDLE_TRACE_MPI extern "C" __attribute__((visibility("default"))) int

/// In a function that stands before MPI_Name: `function` and its `call`.
#define HEDDLE_TRACE_CALL(Name)                                                                          \
  static constinit ::heddle::tracer::Wrapped<decltype(PMPI_##Name)> function("MPI_" #Name, PMPI_##Name); \
  const ::heddle::tracer::Call call(function, __builtin_return_address(0))

#define HEDDLE_TRACE_POLL(Name)                                                                          \
  static constinit ::heddle::tracer::Wrapped<decltype(PMPI_##Name)> function("MPI_" #Name, PMPI_##Name); \
  ::heddle::tracer::Poll call(function, __builtin_return_address(0))

/// The whole of a function that records its begin and end and no more. Parameters and their names are lists
/// in parentheses.
#define HEDDLE_TRACE_LIST(...) __VA_ARGS__
#define HEDDLE_TRACE_PLAIN(Name, parameters, names)           \
  HEDDLE_TRACE_MPI MPI_##Name(HEDDLE_TRACE_LIST parameters) { \
    HEDDLE_TRACE_CALL(Name);                                  \
    return function.next()(HEDDLE_TRACE_LIST names);          \
  }
