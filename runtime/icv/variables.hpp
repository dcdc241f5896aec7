// The environment variables as environment.json describes them: what may stand in each, and what holds
// without. The same file makes the man page, the documentation and 'heddle env'.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icv/values.hpp"

namespace heddle {

/// When OMP_DISPLAY_ENV prints a variable.
enum class Shown { kAlways, kVerbose, kNever };

struct Variable {
  std::string_view name;
  std::string_view form;       // completes "NAME='...' is not"
  std::string_view otherwise;  // completes "using"
  std::string_view no_effect;  // why it has none yet; empty where it has
  Shown shown;
  bool is_ours_to_read;  // false: the launcher's
};

/// In the order of the file, which is the order they are shown in.
std::span<const Variable> variables();

/// Null where there is no variable of that name.
const Variable* find_variable(std::string_view name);

// How each environment variable becomes a field of Settings, and how the field is shown again.

struct Reader {
  std::string_view name;
  /// Returns false, and changes nothing, where the text is not understood.
  bool (*read)(Settings&, std::string_view text);
  /// What OMP_DISPLAY_ENV prints between quotes.
  std::string (*show)(const Settings&);
};

std::span<const Reader> readers();

/// Null where no reader has that name.
const Reader* find_reader(std::string_view name);

}  // namespace heddle
