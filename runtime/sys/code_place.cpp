#include "sys/code_place.hpp"

#include <dlfcn.h>
#include <link.h>

namespace heddle {

namespace {

struct Found {
  const char* file = nullptr;
  std::uintptr_t address = 0;
  const char* symbol = nullptr;
};

Found find_code(const void* code) {
  Dl_info info;
  void* extra = nullptr;
  if (code == nullptr || dladdr1(code, &info, &extra, RTLD_DL_LINKMAP) == 0) return {};
  const auto* const map = static_cast<const link_map*>(extra);
  Found found;
  found.address = reinterpret_cast<std::uintptr_t>(code) - (map != nullptr ? map->l_addr : 0);
  // Without a name it is the program itself, as it was started.
  const bool is_named = map != nullptr && map->l_name != nullptr && map->l_name[0] != '\0';
  found.file = is_named ? map->l_name : info.dli_fname;
  if (info.dli_sname != nullptr && info.dli_saddr == code) found.symbol = info.dli_sname;
  return found;
}

}  // namespace

CodePlace place_of_code(const void* code) {
  const Found found = find_code(code);
  CodePlace place;
  place.address = found.address;
  if (found.file != nullptr) place.file = found.file;
  if (found.symbol != nullptr) place.symbol = found.symbol;
  return place;
}

void write_code_place(const void* code, char* text, std::size_t bytes) {
  const Found found = find_code(code);
  if (found.file != nullptr)
    std::snprintf(text, bytes, "%s(+0x%lx)", found.file, static_cast<unsigned long>(found.address));
  else
    std::snprintf(text, bytes, "%p", code);
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
