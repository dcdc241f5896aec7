// The error directive with at(execution): Clang's entry point.
#include <array>
#include <string>

#include "abi/error_directive.hpp"
#include "abi/kmpc/kmpc.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

constexpr int kFatal = 2;

/// "file:line:column: ", or nothing where the program does not say.
std::string place_of(const Ident* where) {
  if (where == nullptr || where->text == nullptr) return {};
  std::array<std::string_view, 5>
      fields;  // what stands before the first semicolon, file, function, line, column
  std::string_view rest = where->text;
  for (std::string_view& field : fields) {
    const auto end = rest.find(';');
    if (end == std::string_view::npos) return {};
    field = rest.substr(0, end);
    rest.remove_prefix(end + 1);
  }
  return std::string(fields[1]) + ":" + std::string(fields[3]) + ":" + std::string(fields[4]) + ": ";
}

}  // namespace

HEDDLE_EXPORT void __kmpc_error(Ident* where, std::int32_t severity, const char* message) {
  const std::string place = place_of(where);
  const std::string text = message != nullptr ? message : "";
  observe(&Observer::error, severity == kFatal ? ompt_fatal : ompt_warning, text,
          __builtin_return_address(0));
  const std::string said = text.empty() ? "." : ": " + text + ".";
  if (severity == kFatal) error_directive_ends(place + "Encountered user-directed error" + said);
  notice("%sEncountered user-directed warning%s", place.c_str(), said.c_str());
}
