#include "description.hpp"

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>

namespace heddle::machine {
namespace {

constexpr double kMostNanoseconds = 1e9;

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "heddle: HEDDLE_MACHINE: %s\n", what.c_str());
  std::_Exit(2);
}

/// A number of the description by its name: a count, or a time in nanoseconds.
struct Number {
  const char* name;
  int Description::* count = nullptr;
  Time Description::* time = nullptr;
  int distance = -1;
  double nanoseconds = 0;  // unless said otherwise

  Time& time_of(Description& machine) const {
    return distance < 0 ? machine.*time : machine.access[static_cast<std::size_t>(distance)];
  }
};

constexpr Number counted(const char* name, int Description::* count) {
  return {name, count};
}
constexpr Number timed(const char* name, Time Description::* time, double nanoseconds) {
  return {name, nullptr, time, -1, nanoseconds};
}
constexpr Number accessed(const char* name, Distance distance, double nanoseconds) {
  return {name, nullptr, nullptr, static_cast<int>(distance), nanoseconds};
}

constexpr Number kNumbers[] = {
    counted("processors", &Description::processors), counted("caches", &Description::caches),
    counted("sockets", &Description::sockets),       accessed("own", Distance::kOwn, 0.4),
    accessed("near", Distance::kNear, 50),           accessed("far", Distance::kFar, 70),
    accessed("remote", Distance::kRemote, 130),      accessed("memory", Distance::kMemory, 90),
    timed("atomic", &Description::atomic, 6),        timed("pause", &Description::pause, 40),
    timed("call", &Description::call, 150),          timed("wake", &Description::wake, 20000),
    timed("exchange", &Description::exchange, 1500), timed("slice", &Description::slice, 3e6),
};

void set(Description& machine, const std::string& name, const std::string& value) {
  if (name == "computing") {
    if (value != "said" && value != "measured")
      refuse("computing is '" + value + "'; it is said or measured");
    machine.computes_as_said = value == "said";
    return;
  }
  for (const Number& number : kNumbers) {
    if (name != number.name) continue;
    char* end = nullptr;
    const double read = std::strtod(value.c_str(), &end);
    const bool is_number = end != value.c_str() && *end == '\0';
    if (number.count != nullptr) {
      if (!is_number || !(read >= 1 && read <= kMostProcessors) || read != static_cast<int>(read))
        refuse(name + " is '" + value + "'; it is a whole number from 1 to " +
               std::to_string(kMostProcessors));
      machine.*number.count = static_cast<int>(read);
    } else {
      if (!is_number || !(read >= 0 && read <= kMostNanoseconds))
        refuse(name + " is '" + value + "'; it is a time in nanoseconds, up to a second");
      number.time_of(machine) = static_cast<Time>(read * kNanosecond);
    }
    return;
  }
  std::string names = "computing";
  for (const Number& number : kNumbers) names += std::string(", ") + number.name;
  refuse("there is no '" + name + "'; there are " + names);
}

}  // namespace

void print_ns(std::FILE* file, Time time) {
  std::fprintf(file, "%jd.%03jd", static_cast<std::intmax_t>(time / kNanosecond),
               static_cast<std::intmax_t>(time % kNanosecond));
}

Distance Description::between(int one, int other) const {
  if (one == other) return Distance::kOwn;
  const int in_cache = processors / caches, in_socket = processors / sockets;
  if (one / in_socket != other / in_socket) return Distance::kRemote;
  return one / in_cache == other / in_cache ? Distance::kNear : Distance::kFar;
}

Description Description::parse(const char* text) {
  Description machine;
  machine.computes_as_said = false;
  for (const Number& number : kNumbers)
    if (number.count == nullptr)
      number.time_of(machine) = static_cast<Time>(number.nanoseconds * kNanosecond);
  const char* const between = " ,\t\n";
  for (const char* at = text + std::strspn(text, between); *at != '\0'; at += std::strspn(at, between)) {
    const std::string word(at, std::strcspn(at, between));
    at += word.size();
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) refuse("'" + word + "' is not NAME=NUMBER");
    set(machine, word.substr(0, equals), word.substr(equals + 1));
  }
  if (machine.caches % machine.sockets != 0)
    refuse("each socket has as many last-level caches: caches is a multiple of sockets");
  if (machine.processors % machine.caches != 0)
    refuse("each cache has as many processors: processors is a multiple of caches");
  // No access may be free: a thread that spins would never come to its end.
  if (machine.access[0] == 0) refuse("own is 0; an access takes time");
  return machine;
}

void Description::print(std::FILE* file) const {
  std::fprintf(file, "{\"computing\": \"%s\"", computes_as_said ? "said" : "measured");
  for (const Number& number : kNumbers) {
    Description copy = *this;
    std::fprintf(file, ", \"%s\": ", number.name);
    if (number.count != nullptr)
      std::fprintf(file, "%d", this->*number.count);
    else
      print_ns(file, number.time_of(copy));
  }
  std::fputc('}', file);
}

void Description::print_topology(char* text, std::size_t bytes) const {
  std::snprintf(text, bytes, "pack:%d l3:%d core:%d pu:1", sockets, caches / sockets, processors / caches);
}

}  // namespace heddle::machine
