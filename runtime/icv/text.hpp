// Small pieces of the values of environment variables, read and written: numbers, truths, sizes, lists.
//
// Every parser takes blanks around its piece, ignores case where letters count, and returns nothing for what
// it does not understand in full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_table.hpp"

namespace heddle {

std::string_view trim(std::string_view text);

std::optional<int> parse_int(std::string_view text, int lowest, int highest);

std::optional<bool> parse_bool(std::string_view text);

/// size[B|K|M|G]; a bare number counts kibibytes (OpenMP 5.2, section 21.2.2).
std::optional<std::size_t> parse_size(std::string_view text);

/// The pieces between separators, trimmed; an empty text is one empty piece.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A list whose every piece parse_one understands.
template <class ParseOne>
auto parse_list(std::string_view text, ParseOne&& parse_one) {
  using Item = typename decltype(parse_one(text))::value_type;
  std::vector<Item> items;
  for (const std::string_view piece : split(text, ',')) {
    const auto item = parse_one(piece);
    if (!item) return std::optional<std::vector<Item>>{};
    items.push_back(*item);
  }
  return std::optional(items);
}

std::string upper(std::string_view text);

std::string bool_text(bool value);

}  // namespace heddle
