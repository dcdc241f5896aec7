#include "report/report_places.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <vector>

#include "replay/replay.hpp"
#include "sys/backtrace.hpp"

namespace heddle {
namespace {

struct BodyReader {
  Task::Body body;
  const void* (*code_of)(const Task&);
};
std::vector<BodyReader>& body_readers() {
  static auto* const instance = new std::vector<BodyReader>;
  return *instance;
}

constexpr int kMostPlaces = 3;

// A library without debug information may stand between the place and the program: its other frames say
// little.
std::string known_place_of(void* frame, Places places) {
  return places == Places::kResolved ? known_line_of_code(frame, true) : place_of(frame, true, places);
}

}  // namespace

void name_task_bodies(Task::Body body, const void* (*code_of)(const Task&)) {
  body_readers().push_back({body, code_of});
}

const void* code_of(const Task& task) {
  if (task.is_recorded()) return Replay::code_of(task);  // of a taskgraph's node
  for (const BodyReader& reader : body_readers())
    if (reader.body == task.body) return reader.code_of(task);
  return nullptr;
}

std::string place_of(const void* code, bool is_return_address, Places places) {
  if (code == nullptr) return "code that is not known";
  if (places == Places::kResolved) return line_of_code(code, is_return_address);
  const CodePlace place = place_of_code(static_cast<const char*>(code) - (is_return_address ? 1 : 0));
  std::array<char, 32> address;
  std::snprintf(address.data(), address.size(), "0x%" PRIxPTR, place.address);
  return std::string("{") + (is_return_address ? "call " : "task ") + address.data() + " " + place.file + "}";
}

std::string places_of(std::span<void* const> frames, Places places) {
  std::string text;
  int shown = 0;
  bool was_in_libheddle = false;
  for (void* const frame : frames) {
    if (shown == kMostPlaces) break;
    const bool is_own = is_own_code(frame);
    if (is_own || is_c_library(frame)) {
      // The C library may be called, or call libheddle at the end of a thread or of the process.
      if (shown != 0 || (!is_own && was_in_libheddle)) break;
      was_in_libheddle = is_own;
      continue;
    }
    const std::string place = shown == 0 ? place_of(frame, true, places) : known_place_of(frame, places);
    if (place.empty()) continue;
    text += (shown++ == 0 ? " at " : ", called from ") + place;
  }
  return text;
}

bool begins_in_libheddle(std::span<void* const> frames) {
  const auto first = std::ranges::find_if(frames, [](void* frame) { return !is_c_library(frame); });
  return first != frames.end() && is_own_code(*first);
}

}  // namespace heddle
