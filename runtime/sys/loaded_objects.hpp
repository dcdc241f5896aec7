// What the objects that are loaded into this process are linked with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace heddle {

/// Whether the program, or a library that is loaded with it, refers to one of these functions without
/// defining it. Cost: looks at every relocation that names a symbol.
bool any_object_needs(std::span<const char* const> functions);
/// A function that an object refers to, not weakly, without defining it.
struct Need {
  std::string object;  // its path; empty for the program
  std::string function;
};
/// All whose names begin with one of these, as often as they are referred to.
std::vector<Need> needs_beginning_with(std::span<const char* const> prefixes);
/// Whether the object that holds this code or data refers to a function whose name begins with one of these.
bool object_needs(const void* address, std::span<const char* const> prefixes);
/// Whether this library has the function.
bool is_ours(const std::string& function);
/// Whether somebody has it, wherever the object looks for it.
bool is_served(const Need& need);

/// How many objects have been loaded since the process began.
std::uint64_t objects_loaded();

/// The address of a symbol of the program, or of a library that it has loaded for all; or null.
void* symbol_of_program(const char* name);
/// The same among what comes behind this library in the order of search.
void* symbol_behind_us(const char* name);

/// A library that was loaded by its path. Errors: error says what is wrong, and handle or address is null.
struct Library {
  void* handle = nullptr;
  std::string error;
};
Library load_library(const std::string& path);
struct Symbol {
  void* address = nullptr;
  std::string error;
};
Symbol symbol_of(const Library& library, const char* name);
void unload(const Library& library);

}  // namespace heddle
