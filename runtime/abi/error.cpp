// The error directive with at(execution): OpenMP 5.2, section 8.5. A warning goes on; an error ends the
// program with status 1, atexit functions included, as the compilers' own runtimes do.

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "abi/gomp/gomp.hpp"
#include "abi/kmpc/kmpc.hpp"
#include "sys/fatal.hpp"
#include "trace/observer.hpp"

using namespace heddle;
using heddle::kmpc::Ident;

namespace {

/// said: the message with what the runtime of the program's compiler says around it.
[[noreturn]] void end_program(const std::string& said) {
  notice("%s", said.c_str());
  std::exit(1);
}

// -- GCC

// The length of a string of C is -1: it ends with a zero.
std::string text_of(const char* message, std::size_t length) {
  if (message == nullptr) return {};
  return {message, length == static_cast<std::size_t>(-1) ? std::strlen(message) : length};
}

std::string said(const std::string& message) {
  return "error directive encountered" + (message.empty() ? "" : ": " + message);
}

}  // namespace

HEDDLE_EXPORT void GOMP_warning(const char* message, std::size_t length) {
  const std::string text = text_of(message, length);
  observe(&Observer::error, ompt_warning, text, __builtin_return_address(0));
  notice("%s", said(text).c_str());
}
HEDDLE_EXPORT void GOMP_error(const char* message, std::size_t length) {
  const std::string text = text_of(message, length);
  observe(&Observer::error, ompt_fatal, text, __builtin_return_address(0));
  end_program("fatal error: " + said(text));
}

// -- Clang

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
  if (severity == kFatal) end_program(place + "Encountered user-directed error" + said);
  notice("%sEncountered user-directed warning%s", place.c_str(), said.c_str());
}
