// The error directive with at(execution): GCC's entry points.
#include <cstring>

#include "abi/error_directive.hpp"
#include "abi/gomp/gomp.hpp"

using namespace heddle;

namespace {

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
  error_directive_ends("fatal error: " + said(text));
}
