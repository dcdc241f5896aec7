#include "sys/loaded_objects.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

// The parts of an object's dynamic section that say which symbols of others its code and data refer to
// (System V gABI, "Dynamic section"). Its symbol table alone does not: nothing there says how long it is, and
// the hash table, which lists what others may find, is empty in a program that defines nothing for them.
struct Relocations {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> data;   // without those that name no symbol, which come first
  std::span<const ElfW(Rela)> calls;  // through the procedure linkage table
};

// The dynamic linker has made most of these pointers absolute, but not those of objects it may not write to.
template <class T>
const T* absolute(const dl_phdr_info& object, ElfW(Addr) address) {
  return reinterpret_cast<const T*>(address < object.dlpi_addr ? object.dlpi_addr + address : address);
}

Relocations relocations_of(const dl_phdr_info& object) {
  Relocations found;
  const ElfW(Rela)* data = nullptr;
  const ElfW(Rela)* calls = nullptr;
  std::size_t data_bytes = 0, call_bytes = 0, without_symbols = 0;
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    if (object.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + object.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const ElfW(Addr) address = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SYMTAB) found.symbols = absolute<ElfW(Sym)>(object, address);
      if (entry->d_tag == DT_STRTAB) found.names = absolute<char>(object, address);
      if (entry->d_tag == DT_RELA) data = absolute<ElfW(Rela)>(object, address);
      if (entry->d_tag == DT_RELASZ) data_bytes = entry->d_un.d_val;
      if (entry->d_tag == DT_RELACOUNT) without_symbols = entry->d_un.d_val;
      if (entry->d_tag == DT_JMPREL) calls = absolute<ElfW(Rela)>(object, address);
      if (entry->d_tag == DT_PLTRELSZ) call_bytes = entry->d_un.d_val;
    }
  }
  const std::size_t relocations = data_bytes / sizeof *data;
  if (data != nullptr && without_symbols < relocations)
    found.data = {data + without_symbols, relocations - without_symbols};
  if (calls != nullptr) found.calls = {calls, call_bytes / sizeof *calls};
  return found;
}

struct Search {
  std::span<const char* const> functions;
  bool has_found = false;
};

int search_object(dl_phdr_info* object, std::size_t, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  const Relocations known = relocations_of(*object);
  if (known.symbols == nullptr || known.names == nullptr) return 0;
  const auto is_searched = [&](const ElfW(Rela) & relocation) {
    const auto index = ELF64_R_SYM(relocation.r_info);
    const ElfW(Sym)& symbol = known.symbols[index];
    if (index == STN_UNDEF || symbol.st_shndx != SHN_UNDEF) return false;
    const char* const name = known.names + symbol.st_name;
    return std::ranges::any_of(search.functions,
                               [&](const char* function) { return std::strcmp(name, function) == 0; });
  };
  search.has_found =
      std::ranges::any_of(known.calls, is_searched) || std::ranges::any_of(known.data, is_searched);
  return search.has_found ? 1 : 0;
}

}  // namespace

bool any_object_needs(std::span<const char* const> functions) {
  Search search{functions};
  if (!functions.empty()) dl_iterate_phdr(search_object, &search);
  return search.has_found;
}

std::uint64_t objects_loaded() {
  std::uint64_t loaded = 0;
  const auto tell = [](dl_phdr_info* object, std::size_t, void* count) {
    *static_cast<std::uint64_t*>(count) = object->dlpi_adds;
    return 1;  // of the first object: each tells the same
  };
  dl_iterate_phdr(tell, &loaded);
  return loaded;
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
