#include "sys/backtrace.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <ctime>

extern char** environ;

namespace heddle {
namespace {

struct Found {
  const char* file = nullptr;
  std::uintptr_t address = 0;
  const char* symbol = nullptr;
};

Found find_code(const void* code) {
  Dl_info info;
  void* extra = nullptr;
  if (code == nullptr || dladdr1(code, &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
  const auto* const map = static_cast<const link_map*>(extra);
  Found found;
  found.address = reinterpret_cast<std::uintptr_t>(code) - (map != nullptr ? map->l_addr : 0);
  // Without a name it is the program itself, as it was started.
  const bool is_named = map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0';
  found.file = is_named ? map->l_name : info.dli_fname;
  if (info.dli_sname != nullptr && info.dli_saddr == code) found.symbol = info.dli_sname;
  return found;
}

}  // namespace

CodePlace place_of_code(const void* code) {
  const Found found = find_code(code);
  CodePlace place;
  place.address = found.address;
  if (found.file != nullptr) place.file = found.file;
  if (found.symbol != nullptr) place.symbol = found.symbol;
  return place;
}

void write_code_place(const void* code, char* text, std::size_t bytes) {
  const Found found = find_code(code);
  if (found.file != nullptr)
    std::snprintf(text, bytes, "%s(+0x%lx)", found.file, static_cast<unsigned long>(found.address));
  else
    std::snprintf(text, bytes, "%p", code);
}

int CodeNumbers::of(const void* code, std::FILE* log) {
  const auto [at, is_new] = numbers_.emplace(code, static_cast<int>(numbers_.size()));
  if (is_new) {
    const CodePlace place = place_of_code(code);
    std::fprintf(log, "c %d 0x%lx %s %s\n", at->second, static_cast<unsigned long>(place.address),
                 place.symbol.empty() ? "-" : place.symbol.c_str(),
                 place.file.empty() ? "-" : place.file.c_str());
  }
  return at->second;
}

namespace {

// What a program prints, or "" where it cannot be run. LD_LIBRARY_PATH and LD_PRELOAD are the hung program's,
// not its.
std::string output_of(const char* const arguments[]) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  char path[] = {"PATH=/usr/bin:/bin:/usr/local/bin"};
  std::array<char*, 2> clean{path, nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &actions, nullptr, const_cast<char* const*>(arguments),
                                 clean.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (error == 0) {
    std::array<char, 512> part;
    for (ssize_t n; (n = read(ends[0], part.data(), part.size())) > 0;)
      text.append(part.data(), static_cast<std::size_t>(n));
    waitpid(child, nullptr, 0);
  }
  close(ends[0]);
  return text;
}

// Of lines that are inlined into each other, the innermost first: those that debug information knows, but not
// heddle.h's, at most three.
std::string calls_in(const std::string& lines) {
  std::string calls;
  int shown = 0;
  for (std::size_t at = 0; at < lines.size() && shown < 3;) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    std::string line = lines.substr(at, end - at);
    at = end + 1;
    if (const std::size_t end = line.find(" ("); end != std::string::npos) line.resize(end);
    const bool is_known =
        !line.empty() && line[0] != '?' && line.find(":?") == std::string::npos && !line.ends_with(":0");
    if (!is_known || line.find("/heddle.h:") != std::string::npos) continue;
    calls += (shown++ == 0 ? "" : ", called from ") + line;
  }
  return calls;
}

std::string in_hex(std::uintptr_t address) {
  std::array<char, 24> text;
  std::snprintf(text.data(), text.size(), "0x%lx", static_cast<unsigned long>(address));
  return text.data();
}

std::string base_name(const std::string& path) {
  return path.substr(path.find_last_of('/') + 1);
}

}  // namespace

int capture_backtrace(std::span<void*> frames) {
  return backtrace(frames.data(), static_cast<int>(frames.size()));
}

bool is_own_code(const void* code) {
  static const void* const own = [] {
    Dl_info info;
    return dladdr(reinterpret_cast<const void*>(&is_own_code), &info) != 0 ? info.dli_fbase : nullptr;
  }();
  Dl_info info;
  return dladdr(code, &info) != 0 && info.dli_fbase == own;
}

bool is_c_library(const void* code) {
  Dl_info own, info;
  return dladdr(reinterpret_cast<const void*>(&nanosleep), &own) != 0 && dladdr(code, &info) != 0 &&
         info.dli_fbase == own.dli_fbase;
}

std::string known_line_of_code(const void* code, bool is_return_address) {
  const CodePlace place = place_of_code(static_cast<const char*>(code) - (is_return_address ? 1 : 0));
  if (place.file.empty()) return {};
  const std::string address = in_hex(place.address);
  const char* const command[] = {"addr2line", "-i", "-e", place.file.c_str(), address.c_str(), nullptr};
  return calls_in(output_of(command));
}

std::string line_of_code(const void* code, bool is_return_address) {
  const CodePlace place = place_of_code(static_cast<const char*>(code) - (is_return_address ? 1 : 0));
  if (place.file.empty()) return "code that is not known";
  if (std::string calls = known_line_of_code(code, is_return_address); !calls.empty()) return calls;
  Dl_info info;
  if (dladdr(code, &info) != 0 && info.dli_sname != nullptr)
    return std::string(info.dli_sname) + " in " + base_name(place.file);
  return base_name(place.file) + "+" + in_hex(place.address);
}

}  // namespace heddle
