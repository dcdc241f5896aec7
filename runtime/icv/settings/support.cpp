// Variables of tools, debuggers and memory: OpenMP 5.2, sections 21.3 to 21.5.
#include "icv/settings/readers.hpp"
#include "icv/settings/text.hpp"
#include "mem/allocator_text.hpp"

namespace heddle {
namespace {

constexpr EnumTable<bool, 2> kEnabledNames{{{true, "enabled"}, {false, "disabled"}}};
static_assert(is_bijective(kEnabledNames));

bool read_enabled(bool& target, std::string_view text) {
  const auto value = parse(kEnabledNames, text);
  if (value) target = *value;
  return value.has_value();
}

bool read_allocator(Settings& s, std::string_view text) {
  const auto wanted = parse_allocator(text);
  const AllocatorHandle allocator = wanted ? make_allocator(*wanted) : kNullAllocator;
  if (allocator == kNullAllocator) return false;
  s.initial.allocator = allocator;
  s.allocator_text = text;
  return true;
}

bool read_tool_libraries(Settings& s, std::string_view text) {
  s.tool_libraries.clear();
  for (const std::string_view library : split(text, ':'))
    if (!library.empty()) s.tool_libraries.emplace_back(library);
  return true;
}

std::string show_tool_libraries(const Settings& s) {
  std::string all;
  for (const std::string& library : s.tool_libraries) all += (all.empty() ? "" : ":") + library;
  return all;
}

constexpr Reader kReaders[] = {
    {"OMP_ALLOCATOR", read_allocator, [](const Settings& s) { return s.allocator_text; }},
    {"OMP_TOOL", [](Settings& s, std::string_view text) { return read_enabled(s.allows_tools, text); },
     [](const Settings& s) { return upper(name_of(kEnabledNames, s.allows_tools)); }},
    {"OMP_TOOL_LIBRARIES", read_tool_libraries, show_tool_libraries},
    {"OMP_TOOL_VERBOSE_INIT",
     [](Settings& s, std::string_view text) {
       s.tool_verbose_init = text;
       return !text.empty();
     },
     [](const Settings& s) { return s.tool_verbose_init; }},
    {"OMP_DEBUG", [](Settings& s, std::string_view text) { return read_enabled(s.is_debugged, text); },
     [](const Settings& s) { return upper(name_of(kEnabledNames, s.is_debugged)); }},
};

}  // namespace

std::span<const Reader> support_readers() {
  return kReaders;
}

}  // namespace heddle
