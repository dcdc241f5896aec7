#include "icv/settings/display.hpp"

#include <cstdio>

#include "icv/settings/readers.hpp"
#include "icv/settings/variables.hpp"

namespace heddle {
namespace {

// The version whose features all work: OpenMP 4.5. Much of later ones does as well.
constexpr const char* kVersion = "201511";

}  // namespace

std::string environment_text(const Settings& settings, bool is_verbose) {
  std::string text = "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP='";
  text += kVersion;
  text += "'\n";
  for (const Variable& variable : variables()) {
    if (variable.shown == Shown::kNever || (variable.shown == Shown::kVerbose && !is_verbose)) continue;
    const Reader* const reader = find_reader(variable.name);
    if (reader == nullptr) continue;
    text += "  [host] ";
    text += variable.name;
    text += "='" + reader->show(settings) + "'\n";
  }
  return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

void display_environment(const Settings& settings, bool is_verbose) {
  const std::string text = environment_text(settings, is_verbose);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace heddle
