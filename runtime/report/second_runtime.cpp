#include "report/second_runtime.hpp"

#include "sys/fatal.hpp"
#include "sys/loaded_objects.hpp"

namespace heddle {
namespace {
std::span<const char* const> g_prefixes;
const char* g_except = nullptr;
}  // namespace

void set_compilers_prefixes(std::span<const char* const> prefixes, const char* except) {
  g_prefixes = prefixes;
  g_except = except;
}

void refuse_second_runtime() {
  for (const Need& need : needs_beginning_with(g_prefixes)) {
    if (need.function.starts_with(g_except) || is_ours(need.function) || !is_served(need)) continue;
    fatal(
        "%s calls %s, which Heddle does not have, and another OpenMP runtime here has; they would not know "
        "of each other's threads: run it on gnu or llvm",
        need.object.empty() ? "the program" : need.object.c_str(), need.function.c_str());
  }
}

}  // namespace heddle
