

#include "icv/display.hpp"

#include <cstdio>

#include "icv/variables.hpp"

namespace heddle {
namespace {

// The version whose features all work: OpenMP 4.5. Much of later ones does as well.
constexpr const char* kVersion = "201511";

DisplayStyle (*g_find_style)() = nullptr;

}  // namespace

std::string environment_text(const Settings& settings, bool is_verbose, DisplayStyle style) {
  const bool is_gnu = style == DisplayStyle::kGnu;
  const char* const opens = is_gnu ? " = '" : "='";
  std::string text = is_gnu ? "\n" : "";
  text += "OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP";
  text += std::string(opens) + kVersion + "'\n";
  for (const Variable& variable : variables()) {
    if (variable.shown == Shown::kNever || (variable.shown == Shown::kVerbose && !is_verbose)) continue;
    const Reader* const reader = find_reader(variable.name);
    if (reader == nullptr) continue;
    text += "  [host] ";
    text += variable.name;
    text += opens + reader->show(settings) + "'\n";
  }
  return text + "OPENMP DISPLAY ENVIRONMENT END\n";
}

void display_environment(const Settings& settings, bool is_verbose, DisplayStyle style) {
  const std::string text = environment_text(settings, is_verbose, style);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void set_display_style(DisplayStyle (*find)()) {
  g_find_style = find;
}

DisplayStyle display_style() {
  return g_find_style != nullptr ? g_find_style() : DisplayStyle::kLlvm;
}

}  // namespace heddle
