#include "sys/loaded_objects.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>

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

// Calls visit(name, is_weak) for each symbol of others that the object refers to, until that returns true.
template <class Visit>
bool visit_needs(const dl_phdr_info& object, Visit&& visit) {
  const Relocations known = relocations_of(object);
  if (known.symbols == nullptr || known.names == nullptr) return false;
  const auto is_found = [&](const ElfW(Rela) & relocation) {
    const auto index = ELF64_R_SYM(relocation.r_info);
    const ElfW(Sym)& symbol = known.symbols[index];
    if (index == STN_UNDEF || symbol.st_shndx != SHN_UNDEF) return false;
    return visit(known.names + symbol.st_name, ELF64_ST_BIND(symbol.st_info) == STB_WEAK);
  };
  return std::ranges::any_of(known.calls, is_found) || std::ranges::any_of(known.data, is_found);
}

template <class Visit>
void visit_objects(Visit&& visit) {
  const auto call = [](dl_phdr_info* object, std::size_t, void* argument) {
    return (*static_cast<std::remove_reference_t<Visit>*>(argument))(*object) ? 1 : 0;
  };
  dl_iterate_phdr(call, &visit);
}

bool begins_with(std::string_view name, std::span<const char* const> prefixes) {
  return std::ranges::any_of(prefixes, [&](const char* prefix) { return name.starts_with(prefix); });
}

bool holds(const dl_phdr_info& object, ElfW(Addr) address) {
  const std::span segments(object.dlpi_phdr, object.dlpi_phnum);
  return std::ranges::any_of(segments, [&](const ElfW(Phdr) & segment) {
    const ElfW(Addr) first = object.dlpi_addr + segment.p_vaddr;
    return segment.p_type == PT_LOAD && address >= first && address - first < segment.p_memsz;
  });
}

// That of the object, or null. It is loaded, so nothing is counted that would have to be given back.
void* handle_of(const char* object) {
  void* const handle = dlopen(object, RTLD_LAZY | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle;
}

}  // namespace

bool any_object_needs(std::span<const char* const> functions) {
  bool has_found = false;
  if (functions.empty()) return false;
  visit_objects([&](const dl_phdr_info& object) {
    return has_found = visit_needs(object, [&](const char* name, bool) {
             return std::ranges::any_of(
                 functions, [&](const char* function) { return std::strcmp(name, function) == 0; });
           });
  });
  return has_found;
}

std::vector<Need> needs_beginning_with(std::span<const char* const> prefixes) {
  std::vector<Need> needs;
  visit_objects([&](const dl_phdr_info& object) {
    return visit_needs(object, [&](const std::string_view name, bool is_weak) {
      if (!is_weak && begins_with(name, prefixes)) needs.push_back({object.dlpi_name, std::string(name)});
      return false;
    });
  });
  return needs;
}

bool object_needs(const void* address, std::span<const char* const> prefixes) {
  bool does = false;
  visit_objects([&](const dl_phdr_info& object) {
    if (!holds(object, reinterpret_cast<ElfW(Addr)>(address))) return false;
    does =
        visit_needs(object, [&](const std::string_view name, bool) { return begins_with(name, prefixes); });
    return true;
  });
  return does;
}

bool is_ours(const std::string& function) {
  Dl_info here{};
  dladdr(reinterpret_cast<void*>(&is_ours), &here);
  void* const handle = handle_of(here.dli_fname);
  return handle != nullptr && dlsym(handle, function.c_str()) != nullptr;
}

bool is_served(const Need& need) {
  void* const handle = handle_of(need.object.empty() ? nullptr : need.object.c_str());
  return handle != nullptr && dlsym(handle, need.function.c_str()) != nullptr;
}

std::uint64_t objects_loaded() {
  std::uint64_t loaded = 0;
  const auto count_loaded = [](dl_phdr_info* object, std::size_t, void* count) {
    *static_cast<std::uint64_t*>(count) = object->dlpi_adds;
    return 1;  // of the first object: each says the same
  };
  dl_iterate_phdr(count_loaded, &loaded);
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
