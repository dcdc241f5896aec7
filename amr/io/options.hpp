// The command line: every option in one table-like list, with --help, --version and messages that say what to
// change.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "amr/io/settings.hpp"

namespace heddle::amr {

/// A way of running, as the parser and the help need to know it.
struct VariantName {
  std::string_view name;
  std::string_view description;
};

struct Parsed {
  Settings settings;
  std::optional<std::string> text;  // --help or --version: print this and run nothing
};

/// ranks: how many were started. Errors: throws UserError for anything that cannot be run, before any file is
/// touched.
[[nodiscard]] Parsed parse_options(int argc, const char* const* argv, std::span<const VariantName> variants,
                                   int ranks = 1);

/// Range checks and relations between options; also fills in what 0 stands for.
/// Errors: throws UserError.
void check_settings(Settings& settings, std::span<const VariantName> variants, int ranks);

/// Errors: throws UserError if a file that the run will write cannot be written. Leaves no new file behind.
void check_output_paths(const Settings& settings);

}  // namespace heddle::amr
