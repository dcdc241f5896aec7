#include "sys/stack_overflow.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdint>

#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "sys/memory.hpp"

extern "C" void* __libc_stack_end;  // the dynamic linker's: near the top of the main thread's stack

namespace heddle {
namespace {

// Room for the frame that the kernel saves, which vector registers make large, and for handlers of programs,
// which print backtraces. What is not touched costs nothing.
constexpr std::size_t kAlternateBytes = std::size_t{64} << 10;

OverflowNames g_names{};
constinit thread_local void* t_alternate [[gnu::tls_model("initial-exec")]] = nullptr;
// Of the calling thread; of the main thread not known before it has overflowed, since it grows.
constinit thread_local StackRange t_stack [[gnu::tls_model("initial-exec")]]{};

std::uintptr_t number(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

std::uintptr_t stack_pointer(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(machine.sp);
#elif defined(__riscv)
  return static_cast<std::uintptr_t>(machine.__gregs[REG_SP]);
#else
  static_cast<void>(machine);
  return 0;
#endif
}

StackRange stack_of_this_thread() {
  if (!is_main_thread()) {
    pthread_attr_t attributes;
    void* bottom = nullptr;
    std::size_t bytes = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
    pthread_attr_getstack(&attributes, &bottom, &bytes);
    pthread_attr_destroy(&attributes);
    return {bottom, bytes};
  }
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const std::uintptr_t top = number(__libc_stack_end);
  return {reinterpret_cast<const void*>(top - std::min<std::uintptr_t>(limit.rlim_cur, top)), limit.rlim_cur};
}

// A push below the lowest byte, or a frame that reaches below it. Arguments and environment lie above the
// main thread's first frame, and count in its limit.
bool is_used_up(StackRange stack, std::uintptr_t address, std::uintptr_t pointer) {
  constexpr std::uintptr_t kFarBelow = std::uintptr_t{1} << 30;
  const bool is_main = is_main_thread();
  const std::uintptr_t bottom = number(stack.bottom) + (is_main ? std::uintptr_t{256} << 10 : 0);
  const auto is_below = [&](std::uintptr_t x) { return x < bottom && bottom - x < kFarBelow; };
  const bool is_near = pointer > address ? pointer - address < kFarBelow : address - pointer < page_bytes();
  return stack.bytes != 0 && is_near && (is_below(address) || is_below(pointer));
}

void report(int, siginfo_t* info, void* context) {
  const std::uintptr_t address = number(info->si_addr), pointer = stack_pointer(context);
  StackRange stack = g_names.stack_at(info->si_addr);
  const bool is_of_task = stack.bytes != 0;
  if (!is_of_task) stack = t_stack;
  if (is_of_task || is_used_up(stack, address, pointer)) {
    char what[512] = "";
    g_names.what(what, sizeof what);
    notice("%s has used up its stack of %zu KB; %s", what, stack.bytes >> 10,
           !is_of_task && is_main_thread() ? "raise ulimit -s" : g_names.advice);
  }
  // The instruction is executed again, and ends the program as if we had not been there. A thread that was
  // sent the signal sends it once more.
  signal(SIGSEGV, SIG_DFL);
  if (info->si_code <= 0) raise(SIGSEGV);
}

}  // namespace

void name_stack_overflows(const OverflowNames& names) {
  if (g_names.what != nullptr) return;
  struct sigaction known;
  if (sigaction(SIGSEGV, nullptr, &known) != 0 || known.sa_handler != SIG_DFL) return;
  g_names = names;
  struct sigaction action = {};
  action.sa_sigaction = report;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

void give_alternate_stack() {
  t_stack = stack_of_this_thread();
  stack_t known{};
  if (t_alternate != nullptr || sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_DISABLE) == 0)
    return;
  void* const memory =
      mmap(nullptr, kAlternateBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t own{};
  own.ss_sp = memory;
  own.ss_size = kAlternateBytes;
  if (sigaltstack(&own, nullptr) == 0)
    t_alternate = memory;
  else
    munmap(memory, kAlternateBytes);
}

void take_alternate_stack() {
  if (t_alternate == nullptr) return;
  stack_t known{};
  if (sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_ONSTACK) != 0) return;
  if (known.ss_sp == t_alternate) {  // the program may have put its own there
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  munmap(t_alternate, kAlternateBytes);
  t_alternate = nullptr;
}

}  // namespace heddle
