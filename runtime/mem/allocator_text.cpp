#include "mem/allocator_text.hpp"

#include <charconv>

#include "base/enum_table.hpp"

namespace heddle {
namespace {

constexpr EnumTable<PredefinedAllocator, 10> kAllocatorNames{
    {{kDefaultAllocator, "omp_default_mem_alloc"},
     {kLargeCapAllocator, "omp_large_cap_mem_alloc"},
     {kConstAllocator, "omp_const_mem_alloc"},
     {kHighBandwidthAllocator, "omp_high_bw_mem_alloc"},
     {kLowLatencyAllocator, "omp_low_lat_mem_alloc"},
     {kContentionGroupAllocator, "omp_cgroup_mem_alloc"},
     {kTeamAllocator, "omp_pteam_mem_alloc"},
     {kThreadAllocator, "omp_thread_mem_alloc"},
     {kPinnedOfGnu, "ompx_gnu_pinned_mem_alloc"},
     {kManagedOfGnu, "ompx_gnu_managed_mem_alloc"}}};
constexpr EnumTable<MemorySpace, 5> kSpaceNames{{{MemorySpace::kDefault, "omp_default_mem_space"},
                                                 {MemorySpace::kLargeCap, "omp_large_cap_mem_space"},
                                                 {MemorySpace::kConst, "omp_const_mem_space"},
                                                 {MemorySpace::kHighBandwidth, "omp_high_bw_mem_space"},
                                                 {MemorySpace::kLowLatency, "omp_low_lat_mem_space"}}};
constexpr EnumTable<TraitKey, 8> kKeyNames{{{TraitKey::kSyncHint, "sync_hint"},
                                            {TraitKey::kAlignment, "alignment"},
                                            {TraitKey::kAccess, "access"},
                                            {TraitKey::kPoolSize, "pool_size"},
                                            {TraitKey::kFallback, "fallback"},
                                            {TraitKey::kFallbackData, "fb_data"},
                                            {TraitKey::kPinned, "pinned"},
                                            {TraitKey::kPartition, "partition"}}};
constexpr EnumTable<TraitValue, 4> kSyncHintNames{{{kContended, "contended"},
                                                   {kUncontended, "uncontended"},
                                                   {kSerialized, "serialized"},
                                                   {kPrivate, "private"}}};
constexpr EnumTable<TraitValue, 4> kAccessNames{
    {{kAll, "all"}, {kThread, "thread"}, {kTeam, "pteam"}, {kContentionGroup, "cgroup"}}};
constexpr EnumTable<TraitValue, 4> kFallbackNames{{{kDefaultMemoryFallback, "default_mem_fb"},
                                                   {kNullFallback, "null_fb"},
                                                   {kAbortFallback, "abort_fb"},
                                                   {kAllocatorFallback, "allocator_fb"}}};
constexpr EnumTable<TraitValue, 2> kPinnedNames{{{kTrue, "true"}, {kFalse, "false"}}};
constexpr EnumTable<TraitValue, 4> kPartitionNames{{{kEnvironment, "environment"},
                                                    {kNearest, "nearest"},
                                                    {kBlocked, "blocked"},
                                                    {kInterleaved, "interleaved"}}};
static_assert(is_bijective(kAllocatorNames) && is_bijective(kSpaceNames) && is_bijective(kKeyNames));

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::optional<std::uintptr_t> parse_number(std::string_view text) {
  std::uintptr_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

template <class Table>
std::optional<std::uintptr_t> parse_name(const Table& table, std::string_view text) {
  const auto value = parse(table, text);
  if (!value) return {};
  return static_cast<std::uintptr_t>(*value);
}

std::optional<std::uintptr_t> parse_value(TraitKey key, std::string_view text) {
  switch (key) {
    case TraitKey::kSyncHint:
      return parse_name(kSyncHintNames, text);
    case TraitKey::kAlignment:
    case TraitKey::kPoolSize:
      return parse_number(text);
    case TraitKey::kAccess:
      return parse_name(kAccessNames, text);
    case TraitKey::kFallback:
      return parse_name(kFallbackNames, text);
    case TraitKey::kFallbackData:
      return parse_name(kAllocatorNames, text);
    case TraitKey::kPinned:
      return parse_name(kPinnedNames, text);
    case TraitKey::kPartition:
      return parse_name(kPartitionNames, text);
    default:  // none that this spelling has
      return {};
  }
}

std::optional<Trait> parse_trait(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {};
  const auto key = parse(kKeyNames, trim(text.substr(0, equals)));
  if (!key) return {};
  const auto value = parse_value(*key, trim(text.substr(equals + 1)));
  if (!value) return {};
  return Trait{*key, *value};
}

}  // namespace

std::optional<AllocatorText> parse_allocator(std::string_view text) {
  text = trim(text);
  AllocatorText result;
  if (const auto predefined = parse(kAllocatorNames, text)) {
    result.predefined = *predefined;
    return result;
  }
  const auto colon = text.find(':');
  const auto space = parse(kSpaceNames, trim(text.substr(0, colon)));
  if (!space) return {};
  result.space = *space;
  if (colon == std::string_view::npos) {
    result.predefined = predefined_allocator(static_cast<std::uintptr_t>(*space));
    return result;
  }
  for (std::string_view rest = text.substr(colon + 1);;) {
    const auto comma = rest.find(',');
    const auto trait = parse_trait(rest.substr(0, comma));
    if (!trait) return {};
    result.traits.push_back(*trait);
    if (comma == std::string_view::npos) return result;
    rest.remove_prefix(comma + 1);
  }
}

AllocatorHandle make_allocator(const AllocatorText& text) {
  if (text.predefined != kNullAllocator) return text.predefined;
  return make_allocator(static_cast<std::uintptr_t>(text.space), text.traits);
}

std::string allocator_names() {
  return names_of(kAllocatorNames);
}

}  // namespace heddle
