// Variables of the order in which tasks are executed: our own.
#include <charconv>

#include "icv/settings/readers.hpp"

namespace heddle {
namespace {

constexpr std::string_view kFuzz = "fuzz:", kReplay = "replay:";

bool read_seed(std::uint64_t& seed, std::string_view text) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, seed);
  return error == std::errc() && stop == end;
}

bool read_choice(Settings& s, std::string_view text) {
  OrderChoice choice;
  if (text.starts_with(kFuzz)) {
    choice.kind = OrderChoice::Kind::kFuzz;
    if (!read_seed(choice.seed, text.substr(kFuzz.size()))) return false;
  } else if (text.starts_with(kReplay)) {
    choice.kind = OrderChoice::Kind::kReplay;
    choice.file = text.substr(kReplay.size());
    if (!read_order(choice.file)) return false;
  } else if (text != "natural") {
    return false;
  }
  s.order = choice;
  return true;
}

std::string show_choice(const Settings& s) {
  switch (s.order.kind) {
    case OrderChoice::Kind::kFuzz:
      return std::string(kFuzz) + std::to_string(s.order.seed);
    case OrderChoice::Kind::kReplay:
      return std::string(kReplay) + s.order.file;
    case OrderChoice::Kind::kNatural:
      break;
  }
  return "natural";
}

constexpr Reader kReaders[] = {
    {"HEDDLE_ORDER", read_choice, show_choice},
    {"HEDDLE_ORDER_LOG",
     [](Settings& s, std::string_view text) {
       s.order_log = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.order_log; }},
};

}  // namespace

std::span<const Reader> order_readers() {
  return kReaders;
}

}  // namespace heddle
