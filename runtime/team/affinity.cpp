#include "team/affinity.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <mutex>
#include <optional>
#include <vector>

#include "base/relaxed_atomic.hpp"
#include "icv/settings.hpp"
#include "sync/process_lock.hpp"
#include "sys/affinity.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

struct Numbers {
  ProcessLock lock;
  std::vector<bool> are_taken;
};

Numbers& numbers() {
  static auto* const instance = new Numbers;  // threads may outlive static destructors
  return *instance;
}

int take_number() {
  Numbers& all = numbers();
  const std::lock_guard guard(all.lock);
  all.are_taken.resize(static_cast<std::size_t>(processor_numbers()));
  const auto free = std::ranges::find(all.are_taken, false);
  if (free == all.are_taken.end())
    fatal(
        "more threads use task-aware libraries than there are processor numbers (%d); set OMP_NUM_THREADS to "
        "all the threads there will be, and build those libraries for as many processors",
        processor_numbers());
  *free = true;
  return static_cast<int>(free - all.are_taken.begin());
}

struct OwnNumber {
  const int number = take_number();
  ~OwnNumber() {
    Numbers& all = numbers();
    const std::lock_guard guard(all.lock);
    all.are_taken[static_cast<std::size_t>(number)] = false;
  }
};

}  // namespace

int processor_numbers() {
  static const int count = [] {
    const auto& threads = settings().num_threads;
    return std::max(configured_processors(), threads.empty() ? 1 : threads.front());
  }();
  return count;
}

[[gnu::noinline]] int processor_number() {
  static thread_local const OwnNumber own;
  return own.number;
}

namespace {

constexpr std::string_view kFormatOfLlvm = "OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

RelaxedAtomic<Dialect> g_dialect{Dialect::kGnu};

struct Chosen {
  ProcessLock lock;
  std::optional<std::string> format;  // by the program
};

Chosen& chosen() {
  static auto* instance = new Chosen;  // never destroyed: regions of exit handlers may display
  return *instance;
}

// 0,2-5,7
std::string ranges(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(numbers[i]);
    if (last > i) text += '-' + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

struct FieldName {
  char letter;
  std::string_view name;
};
constexpr FieldName kFields[] = {{'t', "team_num"},       {'T', "num_teams"},   {'L', "nesting_level"},
                                 {'n', "thread_num"},     {'N', "num_threads"}, {'a', "ancestor_tnum"},
                                 {'H', "host"},           {'P', "process_id"},  {'i', "native_thread_id"},
                                 {'A', "thread_affinity"}};

std::string value_of(char field, const Member& me) {
  const Team& team = *me.team;
  switch (field) {
    case 't':
      return std::to_string(team.league.number);
    case 'T':
      return std::to_string(team.league.size);
    case 'L':
      return std::to_string(team.level);
    case 'n':
      return std::to_string(me.number);
    case 'N':
      return std::to_string(team.size);
    case 'a':
      return std::to_string(team.level > 0 ? team.encountering->number : -1);
    case 'H':
      return host_name();
    case 'P':
      return std::to_string(process_id());
    case 'i':
      return std::to_string(native_thread_id());
    case 'A':
      return ranges(processors_of_this_thread());
    default:
      return "undefined";
  }
}

// One field, `at` behind its %: [0][.]width and a letter or {name}. Moves `at` behind it.
std::string expand_field(std::string_view format, std::size_t& at, const Member& me) {
  const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  bool pads_with_zeros = false, is_right = false;
  if (peek() == '0') pads_with_zeros = true, ++at;
  if (peek() == '.') is_right = true, ++at;
  std::size_t width = 0;
  for (; std::isdigit(static_cast<unsigned char>(peek())) != 0; ++at)
    width = std::min<std::size_t>(width * 10 + static_cast<std::size_t>(peek() - '0'), 4096);
  char letter = peek();
  if (letter == '{') {
    const std::size_t close = format.find('}', at);
    const std::string_view name =
        format.substr(at + 1, close == std::string_view::npos ? close : close - at - 1);
    const auto* field = std::ranges::find(kFields, name, &FieldName::name);
    letter = field != std::end(kFields) ? field->letter : '\0';
    at = close == std::string_view::npos ? format.size() : close + 1;
  } else if (letter != '\0') {
    ++at;
  }
  std::string text = value_of(letter, me);
  if (text.size() >= width) return text;
  const std::size_t fill = width - text.size();
  if (!is_right) return text.append(fill, ' ');
  // Zeros follow a sign, as with printf().
  const bool has_sign = text.front() == '-';
  const bool is_number = std::isdigit(static_cast<unsigned char>(text[has_sign ? 1 : 0])) != 0;
  if (!pads_with_zeros || !is_number) return text.insert(0, fill, ' ');
  return text.insert(has_sign ? 1 : 0, fill, '0');
}

}  // namespace

void speak(Dialect dialect) {
  if (g_dialect.load() != dialect) g_dialect.store(dialect);
}

std::string affinity_format() {
  Chosen& c = chosen();
  const std::lock_guard guard(c.lock);
  if (c.format) return *c.format;
  const bool is_set = environment("OMP_AFFINITY_FORMAT") != nullptr;
  if (!is_set && g_dialect.load() == Dialect::kLlvm) return std::string(kFormatOfLlvm);
  return settings().affinity_format;
}

void set_affinity_format(std::string_view format) {
  Chosen& c = chosen();
  const std::lock_guard guard(c.lock);
  c.format = format;
}

std::string expand_affinity(std::string_view format, const Member& me) {
  const std::string in_force = format.empty() ? affinity_format() : std::string();
  if (format.empty()) format = in_force;
  std::string result;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      result += format[at++];
    } else if (at + 1 < format.size() && format[at + 1] == '%') {
      result += '%';
      at += 2;
    } else {
      result += expand_field(format, ++at, me);
    }
  }
  return result;
}

void display_affinity(const Member& me, std::string_view format) {
  std::string line = expand_affinity(format, me);
  line += '\n';
  // One call a line, so that lines of several threads do not mix; through stdio, in order with the program's
  // own.
  std::fputs(line.c_str(), g_dialect.load() == Dialect::kLlvm ? stdout : stderr);
}

}  // namespace heddle
