// Asking another thread of the process where it is: a signal has it write down its own backtrace.
//
// Words: the *question* is a real-time signal that the program has no use for. A thread *hears* it unless it
// blocks signals. Invariant: one thread is asked at a time. A question does not end a system call that waits:
// a thread is asked only while it executes the program's code, or in a call that Linux restarts.
#pragma once

#include <cstdint>
#include <span>

namespace heddle {

/// Takes a signal for questions. Returns false where the program handles all of them.
bool prepare_questions();

/// From now on the calling thread hears questions, which libheddle's own threads do not by default.
void hear_questions();

enum class Answer : std::uint8_t {
  kWhere,         // the frames say it
  kInSystemCall,  // not asked, for that would end the call
  kNone,          // it blocks the signal, or has ended
};

/// Asks the thread of this number (sys/machine.hpp, native_thread_id()). Fills in return addresses, the
/// innermost first; *count says how many. Requires: the caller is not that thread; nobody else asks
/// meanwhile.
Answer ask_thread(long thread, std::span<void*> frames, int* count);

}  // namespace heddle
