// One table per enumeration: the parser, the printer and the list shown to users all come from it.
//
// Words: an *entry* pairs a value with the one spelling that users see.
// Invariant: every value and every spelling stands in a table at most once (checked at compile time by
// is_bijective).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heddle {

template <class Enum>
struct EnumEntry {
  Enum value;
  std::string_view name;
};

template <class Enum, std::size_t N>
using EnumTable = std::array<EnumEntry<Enum>, N>;

/// Value spelled `name`, ignoring case as OpenMP's environment variables do (OpenMP 5.2, section 21).
template <class Enum, std::size_t N>
constexpr std::optional<Enum> parse(const EnumTable<Enum, N>& table, std::string_view name) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  for (const auto& entry : table) {
    if (entry.name.size() != name.size()) continue;
    bool same = true;
    for (std::size_t i = 0; i < name.size() && same; ++i) same = lower(entry.name[i]) == lower(name[i]);
    if (same) return entry.value;
  }
  return std::nullopt;
}

/// Spelling of `value`, or an empty view where the table lacks it.
template <class Enum, std::size_t N>
constexpr std::string_view name_of(const EnumTable<Enum, N>& table, Enum value) {
  for (const auto& entry : table)
    if (entry.value == value) return entry.name;
  return {};
}

/// All spellings, separated by ", ": for messages that say what would have been right.
template <class Enum, std::size_t N>
std::string names_of(const EnumTable<Enum, N>& table) {
  std::string all;
  for (const auto& entry : table) {
    if (!all.empty()) all += ", ";
    all += entry.name;
  }
  return all;
}

template <class Enum, std::size_t N>
constexpr bool is_bijective(const EnumTable<Enum, N>& table) {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = i + 1; j < N; ++j)
      if (table[i].value == table[j].value || table[i].name == table[j].name) return false;
  return true;
}

}  // namespace heddle
