// Where one of the machine's threads has left off: all of them go on in turn on one thread of the system, the
// *carrier*, which is the program's first. A switch takes a tenth of a microsecond, and no other process of
// the computer comes between, as it may where threads of the system wake each other.
//
// Each of them still has a thread of the system of its own, which has made its stack and what is local to it.
// That one is parked on its stack, above the frames that the carrier executes there, and gets its turn again
// when the function that the thread was created for has returned: it ends *at home*.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>

namespace heddle::machine {

struct Context {
  boost::context::detail::fcontext_t point = nullptr;  // where it goes on
  void* thread_pointer = nullptr;                      // by which code finds what is local to the thread
  bool is_at_home = false;
};

/// The calling thread's thread pointer.
void* thread_pointer();
/// Makes `context` the beginning of entry(), on the stack below `top`. entry's first statement is arrive().
void make_context(Context& context, void* top, void (*entry)(boost::context::detail::transfer_t));
void arrive(boost::context::detail::transfer_t from);
/// Leaves `from` for `to`, on the carrier; returns when somebody goes on in `from`.
void switch_context(Context& from, Context& to);

/// A flag that one thread of the system waits for and another one sets.
class Turn {
 public:
  void give();
  /// Returns once it is given, and takes it. No error number is written: the thread that is parked shares it
  /// with the frames that the carrier executes.
  void wait();

 private:
  std::uint32_t given_ = 0;
};

}  // namespace heddle::machine
