// Contexts: places where a thread has left off and can go on.
//
// Words: a thread *leaves* one context and *goes on* in another, on that one's stack. Invariant: what belongs
// to a point of execution and not to its thread goes with the context: callee-saved registers, floating-point
// control, the exceptions that are being handled, and what the sanitizers know of the stack.
//
// Switching itself is Boost.Context's: its fcontext layer, since fiber, the one above it, enters a stack when
// it is made, which the sanitizers cannot be told of, and unwinds it when it is dropped.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>

#include "fiber/sanitizer.hpp"

namespace heddle {

// ThreadSanitizer counts calls and returns on each stack: a call that does not return must not count.
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#  define HEDDLE_CONTEXT_ENTRY __attribute__((no_sanitize("thread")))
#elif defined(__clang__)
#  define HEDDLE_CONTEXT_ENTRY __attribute__((disable_sanitizer_instrumentation))
#else
#  define HEDDLE_CONTEXT_ENTRY
#endif

struct Context : StackExtent {
  boost::context::detail::fcontext_t point =
      nullptr;  // where it goes on; nullptr: it runs, or was never left
  // The C++ runtime's, of its thread: exceptions caught and not yet destroyed, and how many are in pipeline.
  void* caught_exceptions = nullptr;
  unsigned uncaught_exceptions = 0;
  void (*entry)(boost::context::detail::transfer_t) = nullptr;  // of one that was made
};

/// Makes `context` the beginning of entry() on the stack [bottom, bottom + bytes). entry is declared with
/// HEDDLE_CONTEXT_ENTRY; its first statement is begin_context(context, arrival), its last
/// end_context(context, to).
using ContextEntry = void (*)(boost::context::detail::transfer_t);
void make_context(Context& context, void* bottom, std::size_t bytes, ContextEntry entry);
void begin_context(Context& context, boost::context::detail::transfer_t arrival);

/// Leaves `self` for good, for `to`. Where entry() calls this last, which compilers make a jump, the
/// processor finds the returns of the thread that called switch_context() as it expects them: half the cost
/// of a context that does not suspend. Requires: as for switch_context().
void end_context(Context& self, Context& to);

/// Makes a context that has ended the beginning of its entry() once more.
/// Requires: the thread that ended it has arrived elsewhere.
void restart_context(Context& context);

/// Gives back what make_context() took, once nobody will go on there.
void forget_context(Context& context);

/// Leaves `from`, the running context, for `to`; returns when somebody goes on in `from`.
/// Requires: to has been left or made. Threads: any may go on in a context; the one that returns may be
/// another than the one that called, where somebody lets that happen. Cost: one switch of Boost.Context and
/// two looks at the C++ runtime's globals.
void switch_context(Context& from, Context& to);

/// Calls visit(argument) on the stack of a context that was left, as if its last call there had called it.
/// The context stays left. Requires: nobody goes on in it meanwhile.
void visit_context(Context& context, void (*visit)(void*), void* argument);

}  // namespace heddle
