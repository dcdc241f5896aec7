#include "fiber/context.hpp"

#include <cxxabi.h>

#include "fiber/sanitizer.hpp"
#include "sys/fp_modes.hpp"
#include "sys/thread_pointer.hpp"

namespace heddle {
namespace {

using boost::context::detail::transfer_t;

// Boost.Context's jump leaves a context's floating-point modes where it leaves its registers, but on Arm.
#if defined(__x86_64__)
constexpr bool kJumpKeepsFpModes = true;
#else
constexpr bool kJumpKeepsFpModes = false;
#endif

// What abi::__cxa_get_globals() points at (Itanium C++ ABI, exception handling, 2.2.2).
struct Exceptions {
  void* caught;
  unsigned uncaught;
};

// Asking the C++ runtime costs two calls each time.
constinit thread_local Exceptions* t_exceptions [[gnu::tls_model("initial-exec")]] = nullptr;

Exceptions& exceptions_of_this_thread() {
  Exceptions*& exceptions = of_this_thread(t_exceptions);
  if (exceptions == nullptr) [[unlikely]]
    exceptions = reinterpret_cast<Exceptions*>(abi::__cxa_get_globals());
  return *exceptions;
}

// `self` goes on; the context that was left for it is in `arrival`.
[[gnu::noinline]] void arrive(Context& self, transfer_t arrival) {
  Context& left = *static_cast<Context*>(arrival.data);
  left.point = arrival.fctx;
  self.point = nullptr;
  sanitizer_end_switch(self, left);
  exceptions_of_this_thread() = {self.caught_exceptions, self.uncaught_exceptions};
}

}  // namespace

void make_context(Context& context, void* bottom, std::size_t bytes, ContextEntry entry) {
  context = {};
  context.bottom = bottom;
  context.bytes = bytes;
  context.entry = entry;
  restart_context(context);
  sanitizer_made(context);
}

void restart_context(Context& context) {
  const auto* const top = static_cast<const char*>(context.bottom) + context.bytes;
  context.point = boost::context::detail::make_fcontext(const_cast<char*>(top), context.bytes, context.entry);
}

void begin_context(Context& context, transfer_t arrival) {
  arrive(context, arrival);
}

void forget_context(Context& context) {
  sanitizer_forgotten(context);
}

namespace {

// On the stack of the thread that goes on: returns where that left, as its call of jump_fcontext() would
// have.
transfer_t return_there(transfer_t arrival) {
  return arrival;
}

}  // namespace

HEDDLE_CONTEXT_ENTRY void end_context(Context& self, Context& to) {
  HEDDLE_SANITIZER_ENDING(to);
  boost::context::detail::ontop_fcontext(to.point, &self, return_there);
}

namespace {

struct Visit {
  void (*function)(void*);
  void* argument;
};

// On the visited stack. The context that goes on there in the end comes back to this jump, and returns from
// it as from the one that left.
transfer_t receive_visit(transfer_t visitor) {
  const auto& visit = *static_cast<const Visit*>(visitor.data);
  visit.function(visit.argument);
  return boost::context::detail::jump_fcontext(visitor.fctx, nullptr);
}

}  // namespace

void visit_context(Context& context, void (*function)(void*), void* argument) {
  Visit visit{function, argument};
  context.point = boost::context::detail::ontop_fcontext(context.point, &visit, receive_visit).fctx;
}

// Not inlined, as arrive() may be on another thread: nothing of one survives the switch.
[[gnu::noinline]] void switch_context(Context& from, Context& to) {
  const Exceptions handled = exceptions_of_this_thread();
  from.caught_exceptions = handled.caught;
  from.uncaught_exceptions = handled.uncaught;
  [[maybe_unused]] FpModes modes;
  if constexpr (!kJumpKeepsFpModes) modes = fp_modes();
  sanitizer_leaving(from, to);
  arrive(from, boost::context::detail::jump_fcontext(to.point, &from));
  if constexpr (!kJumpKeepsFpModes) adopt_fp_modes(modes);
}

}  // namespace heddle
