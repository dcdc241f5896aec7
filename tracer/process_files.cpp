#include "tracer/process_files.hpp"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace heddle::tracer {
namespace {

// Of the load: the program may clear its environment.
const std::string& g_folder = *[] {
  const char* const folder = std::getenv("HEDDLE_TRACE_DIRECTORY");
  return new std::string(folder != nullptr ? folder : ".");  // never destroyed: a runtime may end later
}();

std::optional<CopiedMap> copy(std::FILE* from, std::FILE* to) {
  CopiedMap result;
  char block[1 << 14];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, from)) > 0;) {
    if (std::fwrite(block, 1, n, to) != n) return std::nullopt;
    result.bytes += n;
    result.sums.add(block, n);  // fread() fills the block but for the last one
  }
  return std::fflush(to) == 0 ? std::optional(result) : std::nullopt;
}

sigset_t file_size_signal() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

}  // namespace

std::string make_file(const char* suffix) {
  const std::string first = g_folder + "/process-" + std::to_string(getpid());
  constexpr int kMost = 10000;
  for (int n = 1; n <= kMost; ++n) {
    std::string path = first;
    if (n > 1) path.append("-").append(std::to_string(n));
    path.append(suffix);
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      close(file);
      return path;
    }
    if (errno != EEXIST) break;
  }
  return {};
}

std::optional<CopiedMap> copy_memory_map(const std::string& path_with_stem) {
  const FileSizeSignalBlock no_signal;
  const std::string path = path_with_stem.substr(0, path_with_stem.rfind('.')) + ".maps";
  const std::string unfinished = path + ".part";
  std::FILE* const from = std::fopen("/proc/self/maps", "re");
  std::FILE* const to = std::fopen(unfinished.c_str(), "wxe");
  const std::optional<CopiedMap> copied =
      from != nullptr && to != nullptr ? copy(from, to) : std::optional<CopiedMap>();
  if (from != nullptr) std::fclose(from);
  if (to != nullptr && std::fclose(to) == 0 && copied && std::rename(unfinished.c_str(), path.c_str()) == 0)
    return copied;
  unlink(unfinished.c_str());
  return std::nullopt;
}

FileSizeSignalBlock::FileSizeSignalBlock() {
  const sigset_t set = file_size_signal();
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &set, &before);
  was_blocked_ = sigismember(&before, SIGXFSZ) != 0;
}

FileSizeSignalBlock::~FileSizeSignalBlock() {
  if (was_blocked_) return;
  const int error_before = errno;
  const sigset_t set = file_size_signal();
  const timespec at_once{};
  while (sigtimedwait(&set, nullptr, &at_once) > 0) continue;
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  errno = error_before;
}

}  // namespace heddle::tracer
