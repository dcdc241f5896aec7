#include "transfers.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace heddle::machine {

void Transfers::print(std::FILE* file) const {
  struct Row {
    std::uintptr_t place;
    Count count;
    std::int64_t sum() const {
      return std::accumulate(count.transfers.begin(), count.transfers.end(), std::int64_t{0});
    }
  };
  std::vector<Row> rows;
  for (const auto& [place, count] : counts_) rows.push_back({reinterpret_cast<std::uintptr_t>(place), count});
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.sum() != b.sum() ? a.sum() > b.sum() : a.place < b.place;
  });
  const char* separator = "";
  std::fputc('[', file);
  for (const Row& row : rows) {
    Dl_info info{};
    link_map* object = nullptr;
    const bool is_known = dladdr1(reinterpret_cast<void*>(row.place), &info,
                                  reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) != 0;
    const std::uintptr_t base = is_known && object != nullptr ? object->l_addr : 0;
    std::fprintf(file, "%s\n  {\"file\": \"", separator);
    for (const char* c = is_known ? info.dli_fname : ""; *c != '\0'; ++c) {
      if (*c == '"' || *c == '\\') std::fputc('\\', file);
      std::fputc(*c, file);
    }
    std::fprintf(file, "\", \"address\": %ju", static_cast<std::uintmax_t>(row.place - base));
    constexpr const char* kNames[] = {"own", "near", "far", "remote", "memory"};
    for (std::size_t distance = 1; distance < kDistances; ++distance)
      std::fprintf(file, ", \"%s\": %jd", kNames[distance],
                   static_cast<std::intmax_t>(row.count.transfers[distance]));
    std::fputs(", \"waited_ns\": ", file);
    print_ns(file, row.count.waited);
    std::fputc('}', file);
    separator = ",";
  }
  std::fputs("]", file);
}

}  // namespace heddle::machine
