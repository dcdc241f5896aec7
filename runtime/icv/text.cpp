

#include "icv/text.hpp"

#include <charconv>

namespace heddle {
namespace {

// The standard's words first. Programs of Clang may have been started with any of the others, which libomp
// takes.
struct Truth {
  std::string_view word;
  bool value;
};
constexpr Truth kTruths[] = {{"true", true},   {"false", false}, {"1", true},        {"0", false},
                             {"on", true},     {"off", false},   {"yes", true},      {"no", false},
                             {".true.", true}, {".t.", true},    {".false.", false}, {".f.", false}};

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<int> parse_int(std::string_view text, int lowest, int highest) {
  text = trim(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < lowest || value > highest)
    return {};
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  const std::string word = upper(trim(text));
  for (const Truth& truth : kTruths)
    if (upper(truth.word) == word) return truth.value;
  return {};
}

std::optional<std::size_t> parse_size(std::string_view text) {
  text = trim(text);
  std::size_t unit = 1024;
  if (!text.empty()) {
    const std::string_view units = "bkmg";
    const auto found = units.find(static_cast<char>(text.back() | 0x20));
    if (found != std::string_view::npos) {
      unit = std::size_t{1} << (10 * found);
      text.remove_suffix(1);
    }
  }
  const auto number = parse_int(text, 1, INT32_MAX);
  if (!number) return {};
  return static_cast<std::size_t>(*number) * unit;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const auto end = text.find(separator);
    pieces.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

std::string bool_text(bool value) {
  return value ? "TRUE" : "FALSE";
}

}  // namespace heddle
