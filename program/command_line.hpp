// A program's command line: options that are checked as they are read, and mistakes said in one line that
// names the option and what to give.
//
// Invariant: of an option that is given twice the last occurrence wins. The value in brackets that --help
// shows is the one that the target has when the option is registered.
#pragma once

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/user_error.hpp"

namespace heddle::program {

/// The syntax of numbers is checked here, not by the parser library, so that messages say which option and
/// what to give. Errors: throws UserError.
template <class Number>
Number parse_number(const std::string& option, const std::string& text) {
  Number value{};
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  const bool is_whole = end == text.data() + text.size() && !text.empty();
  if (error == std::errc::result_out_of_range) {
    throw UserError(fmt::format("{} {} is out of range; give a smaller number", option, text));
  }
  bool is_number = error == std::errc() && is_whole;
  if constexpr (std::is_floating_point_v<Number>) is_number = is_number && std::isfinite(value);
  if (!is_number) {
    throw UserError(fmt::format("{} takes {}, not '{}'; see --help", option,
                                std::is_integral_v<Number> ? "a whole number" : "a number", text));
  }
  return value;
}

/// No line is longer than `width` columns where words can be kept whole. What goes on in the next line begins
/// in the column of the text, which is behind the line's last gap of several spaces.
inline std::string wrapped(const std::string& text, std::size_t width = 80) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    while (line.size() > width) {
      const std::size_t gap = line.rfind("  ", width);
      const std::size_t column = gap == std::string::npos ? 0 : gap + 2;
      const std::size_t space = line.rfind(' ', width);
      if (space == std::string::npos || space < column) break;
      result += line.substr(0, space) + '\n';
      line = std::string(column, ' ') + line.substr(space + 1);
    }
    result += line + '\n';
  }
  return result;
}

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& description)
      : name_(name), app_(description, name) {
    app_.set_help_flag("");
    app_.add_flag("-h,--help", wants_help_, "Print this and stop")->group("General");
  }

  [[nodiscard]] CLI::App& app() { return app_; }

  /// Of the options that follow.
  void group(std::string name) { group_ = std::move(name); }

  CLI::Option* valued(const std::string& name, const std::string& help, const std::string& value,
                      std::function<void(const std::string&)> take) {
    auto* option = app_.add_option_function<std::string>(name, std::move(take), help);
    option->type_name(value)->group(group_)->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    option->trigger_on_parse(false);
    return option;
  }
  template <class Number>
  CLI::Option* number(const std::string& name, Number& target, const std::string& help,
                      const std::string& value = "N") {
    return valued(name, help + fmt::format(" [{}]", target), value,
                  [name, &target](const std::string& text) { target = parse_number<Number>(name, text); });
  }
  /// One of several names. names: with what each stands for.
  template <class Value, std::size_t N>
  CLI::Option* choice(const std::string& name, Value& target,
                      const std::array<std::pair<const char*, Value>, N>& names, const std::string& help,
                      const std::string& value = "NAME") {
    std::string shown, listed;
    for (std::size_t i = 0; i < N; ++i) {
      if (names[i].second == target) shown = names[i].first;
      listed += (i == 0 ? "" : i + 1 < N ? ", " : " or ") + std::string(names[i].first);
    }
    return valued(name, help + fmt::format(" [{}]", shown), value, [=, &target](const std::string& text) {
      const auto* found = std::ranges::find(names, text, [](const auto& row) { return row.first; });
      if (found == names.end()) throw UserError(fmt::format("{} {}: give {}", name, text, listed));
      target = found->second;
    });
  }
  CLI::Option* file(const std::string& name, std::string& target, const std::string& help) {
    return valued(name, help, "FILE", [name, &target](const std::string& text) {
      if (text.empty()) throw UserError(name + " needs the name of a file");
      target = text;
    });
  }
  void flag(const std::string& name, bool& target, const std::string& help) {
    app_.add_flag_callback(name, [&target] { target = true; }, help)->group(group_);
  }

  /// Returns what to print where the user asks for help. missing: what to say where a value is missing from
  /// the option of that name, in place of "needs a value".
  /// Errors: throws UserError.
  [[nodiscard]] std::optional<std::string> parse(int argc, const char* const* argv,
                                                 const std::pair<std::string, std::string>& missing = {}) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ExtrasError&) {
      const auto extras = app_.remaining();
      throw UserError(fmt::format("unknown option '{}'; {} --help lists all options",
                                  extras.empty() ? "" : extras.front(), name_));
    } catch (const CLI::ArgumentMismatch& e) {
      if (!missing.first.empty() && std::string(e.what()).find(missing.first) != std::string::npos)
        throw UserError(missing.second);
      throw UserError(fmt::format("{} needs a value; see {} --help", argc > 1 ? argv[argc - 1] : "", name_));
    } catch (const CLI::ParseError& e) {
      std::string text = e.what();
      std::replace(text.begin(), text.end(), '\n', ' ');
      throw UserError(fmt::format("{}; see {} --help", text, name_));
    }
    if (wants_help_) return wrapped(app_.help());
    return std::nullopt;
  }

  /// For an option that does nothing without another one. Requires: parse() has returned.
  /// Errors: throws UserError if the option was given and the other one is not in force.
  void expect_effect(const std::string& option, bool is_other_in_force, const std::string& other) const {
    if (!is_other_in_force && app_.get_option(option)->count() > 0)
      throw UserError(fmt::format("{} has no effect without {}; give both, or leave it out", option, other));
  }

  /// The options of a group that were given, each with its last value. Requires: parse() has returned.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> given(const std::string& group) const {
    std::vector<std::pair<std::string, std::string>> options;
    for (const CLI::Option* option : app_.get_options()) {
      if (option->get_group() == group && option->count() > 0)
        options.emplace_back(option->get_name(), option->results().back());
    }
    return options;
  }

 private:
  std::string name_;
  CLI::App app_;
  bool wants_help_ = false;
  std::string group_;
};

}  // namespace heddle::program
