#include "sys/loaded_objects.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace heddle {
namespace {

// The parts of an object's dynamic section that list its symbols (System V gABI, "Dynamic section").
struct DynamicSymbols {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const std::uint32_t* gnu_hash = nullptr;
  const std::uint32_t* hash = nullptr;

  // Undefined symbols come before those that the GNU hash table lists; the other table counts all.
  std::size_t count() const { return gnu_hash != nullptr ? gnu_hash[1] : hash != nullptr ? hash[1] : 0; }
};

// The dynamic linker has made most of these pointers absolute, but not those of objects it may not write to.
template <class T>
const T* absolute(const dl_phdr_info& object, ElfW(Addr) address) {
  return reinterpret_cast<const T*>(address < object.dlpi_addr ? object.dlpi_addr + address : address);
}

DynamicSymbols symbols_of(const dl_phdr_info& object) {
  DynamicSymbols found;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const ElfW(Addr) address = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) found.symbols = absolute<ElfW(Sym)>(object, address);
      if (entry->d_tag == DT_STRTAB) found.names = absolute<char>(object, address);
      if (entry->d_tag == DT_GNU_HASH) found.gnu_hash = absolute<std::uint32_t>(object, address);
      if (entry->d_tag == DT_HASH) found.hash = absolute<std::uint32_t>(object, address);
    }
  }
  return found;
}

struct Search {
  std::span<const char* const> functions;
  bool has_found = false;
};

int search_object(dl_phdr_info* object, std::size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const DynamicSymbols known = symbols_of(*object);
  if (known.symbols == nullptr || known.names == nullptr) return 0;
  for (std::size_t i = 1; i < known.count(); ++i) {
    const ElfW(Sym)& symbol = known.symbols[i];
    if (symbol.st_shndx != SHN_UNDEF) continue;
    for (const char* const function : search.functions)
      if (std::strcmp(known.names + symbol.st_name, function) == 0) search.has_found = true;
  }
  return search.has_found ? 1 : 0;
}

}  // namespace

bool any_object_needs(std::span<const char* const> functions) {
  Search search{functions};
  if (!functions.empty()) dl_iterate_phdr(search_object, &search);
  return search.has_found;
}

void* symbol_of_program(const char* name) {
  return dlsym(RTLD_DEFAULT, name);
}

void* symbol_behind_us(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

Library load_library(const std::string& path) {
  Library library{dlopen(path.c_str(), RTLD_LAZY), {}};
  if (library.handle == nullptr) library.error = dlerror();
  return library;
}

Symbol symbol_of(const Library& library, const char* name) {
  Symbol symbol{dlsym(library.handle, name), {}};
  if (symbol.address == nullptr) symbol.error = dlerror();
  return symbol;
}

void unload(const Library& library) {
  dlclose(library.handle);
}

}  // namespace heddle
