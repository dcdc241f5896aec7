#include "icv/settings/variables.hpp"

#include <algorithm>

namespace heddle {
namespace {

constexpr Shown shown_as(std::string_view text) {
  return text == "always" ? Shown::kAlways : text == "verbose" ? Shown::kVerbose : Shown::kNever;
}

#define HEDDLE_VARIABLE(name, form, otherwise, effect, shown, read_by) \
  Variable{name, form, otherwise, effect, shown_as(shown), std::string_view(read_by) == "runtime"},
constexpr Variable kVariables[] = {
#include "environment.inc"
};
#undef HEDDLE_VARIABLE

}  // namespace

std::span<const Variable> variables() {
  return kVariables;
}

const Variable* find_variable(std::string_view name) {
  const auto* const found = std::ranges::find(kVariables, name, &Variable::name);
  return found != std::end(kVariables) ? found : nullptr;
}

}  // namespace heddle
