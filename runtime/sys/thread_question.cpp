#include "sys/thread_question.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "sys/backtrace.hpp"
#include "sys/machine.hpp"
#include "sys/question.hpp"

namespace heddle {
namespace {

constexpr int kMostFrames = 64;

int g_signal = 0;
Question<> g_question;
// The answer to it.
std::array<void*, kMostFrames> g_frames;
int g_count = 0;  // of frames
void* g_interrupted = nullptr;

void* interrupted_code(const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return reinterpret_cast<void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return reinterpret_cast<void*>(machine.pc);
#elif defined(__riscv)
  return reinterpret_cast<void*>(machine.__gregs[REG_PC]);
#else
  static_cast<void>(machine);
  return nullptr;
#endif
}

void answer(int, siginfo_t*, void* context) {
  const int error = errno;
  g_question.answer(syscall(SYS_gettid), [context] {
    g_interrupted = interrupted_code(context);
    g_count = capture_backtrace(g_frames);
  });
  errno = error;
}

// Calls that go on by themselves after a signal with SA_RESTART (signal(7)).
bool is_restarted(long call) {
  constexpr long kRestarted[] = {SYS_futex, SYS_read,   SYS_readv, SYS_write,  SYS_writev,
                                 SYS_wait4, SYS_waitid, SYS_flock, SYS_openat, SYS_sched_yield};
  return std::ranges::find(kRestarted, call) != std::end(kRestarted);
}

// Whether the thread executes its own code, or waits in such a call.
bool may_be_asked(long thread) {
  const std::string file = "/proc/self/task/" + std::to_string(thread) + "/syscall";
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  std::array<char, 64> text{};
  const ssize_t length = read(descriptor, text.data(), text.size() - 1);
  close(descriptor);
  if (length <= 0) return false;
  // "running", or the call's number and its arguments; -1 where it waits outside system calls.
  char* end = text.data();
  const long call = std::strtol(text.data(), &end, 10);
  return end == text.data() || call < 0 || is_restarted(call);
}

// What comes before the interrupted code is the answer's own. The frames are return addresses: that one
// counts as behind the instruction that it is.
int without_answer(std::span<void*> frames, int count) {
  const auto begin = g_frames.begin();
  auto first = std::find(begin, begin + count, g_interrupted);
  const bool is_found = first != begin + count;
  if (!is_found) first = begin;
  const auto kept =
      std::min<std::ptrdiff_t>(begin + count - first, static_cast<std::ptrdiff_t>(frames.size()));
  std::copy_n(first, kept, frames.begin());
  if (is_found) frames[0] = static_cast<char*>(frames[0]) + 1;
  return static_cast<int>(kept);
}

}  // namespace

bool prepare_questions() {
  std::array<void*, 1> frame;
  capture_backtrace(frame);  // loads what the handler must not load
  for (int number = SIGRTMAX - 1; number >= SIGRTMIN && g_signal == 0; --number) {
    struct sigaction known;
    if (sigaction(number, nullptr, &known) != 0 || known.sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_sigaction = answer;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigfillset(&action.sa_mask);
    if (sigaction(number, &action, nullptr) == 0) g_signal = number;
  }
  return g_signal != 0;
}

void hear_questions() {
  if (g_signal == 0) return;
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, g_signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

Answer ask_thread(long thread, std::span<void*> frames, int* count) {
  constexpr std::int64_t kPatienceNs = 500'000'000, kPauseNs = 1'000'000;
  *count = 0;
  if (g_signal == 0) return Answer::kNone;
  if (!may_be_asked(thread)) return Answer::kInSystemCall;
  g_question.ask(thread);
  if (syscall(SYS_tgkill, getpid(), thread, g_signal) != 0) {
    g_question.end();
    return Answer::kNone;
  }
  const std::int64_t until = monotonic_ns() + kPatienceNs;
  while (!g_question.is_answered()) {
    sleep_ns(kPauseNs);
    if (monotonic_ns() > until && g_question.take_back(thread)) return Answer::kNone;
  }
  g_question.end();
  *count = without_answer(frames, g_count);
  return Answer::kWhere;
}

}  // namespace heddle
