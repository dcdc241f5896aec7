#include "sys/code_place.hpp"

#include <dlfcn.h>
#include <link.h>

namespace heddle {

CodePlace place_of_code(const void* code) {
  Dl_info info;
  void* extra = nullptr;
  if (code == nullptr || dladdr1(code, &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
  const auto* const map = static_cast<const link_map*>(extra);
  CodePlace place;
  place.address = reinterpret_cast<std::uintptr_t>(code) - (map != nullptr ? map->l_addr : 0);
  if (map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0')
    place.file = map->l_name;
  else if (info.dli_fname != nullptr)
    place.file = info.dli_fname;  // the program itself, as it was started
  if (info.dli_sname != nullptr && info.dli_saddr == code) place.symbol = info.dli_sname;
  return place;
}

int CodeNumbers::of(const void* code, std::FILE* log) {
  const auto [at, is_new] = numbers_.emplace(code, static_cast<int>(numbers_.size()));
  if (is_new) {
    const CodePlace place = place_of_code(code);
    std::fprintf(log, "c %d 0x%lx %s %s\n", at->second, static_cast<unsigned long>(place.address),
                 place.symbol.empty() ? "-" : place.symbol.c_str(),
                 place.file.empty() ? "-" : place.file.c_str());
  }
  return at->second;
}

}  // namespace heddle
