// A tool that watches the program through OpenMP's tools interface: whether there is one, and what it has
// registered (OpenMP 5.2, chapter 19).
//
// Words: a *tool* is active from its initialisation to its finalisation. It is initialised before the first
// thread has a team and never comes later, so that what concerns tasks is settled when a team is made.
#pragma once

#include "include/heddle_tools.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "trace/first_end.hpp"
#include "trace/observer.hpp"

namespace heddle {

extern constinit RelaxedAtomic<bool> g_has_tool;

/// Whether a tool is active. Cost: one load.
inline bool has_tool() {
  return g_has_tool.load();
}

/// A tool becomes active, before the first team; `observer` calls it back. And is active no more: returns
/// whether it was.
void activate_tool(Observer& observer);
bool deactivate_tool();

/// What it has registered for an event, or null.
class ToolCallbacks {
 public:
  static constexpr int kEvents = 38;

  ompt_callback_t get(int event) const { return of(event).seen(); }
  void set(int event, ompt_callback_t callback) { of(event) = callback; }

 private:
  Published<ompt_callback_t>& of(int event) { return all_[static_cast<std::size_t>(event)]; }
  const Published<ompt_callback_t>& of(int event) const { return all_[static_cast<std::size_t>(event)]; }

  std::array<Published<ompt_callback_t>, kEvents> all_{};
};
extern constinit ToolCallbacks g_tool_callbacks;

/// What it has registered for suspensions, which the standard does not know; or null.
extern constinit Published<heddle_callback_suspend_t> g_suspend_callback;

/// Calls what is registered for an event, if anything is. Signature: the event's.
template <class Signature, class... Arguments>
bool call_tool(ompt_callbacks_t event, Arguments... arguments) {
  const ompt_callback_t callback = g_tool_callbacks.get(event);
  if (callback == nullptr) return false;
  reinterpret_cast<Signature>(callback)(arguments...);
  return true;
}

/// What frames are known by, where there are any: __builtin_frame_address(), in functions of the runtime.
inline constexpr int kFrameFlags = ompt_frame_runtime | ompt_frame_framepointer;

/// What a tool keeps of a task, and knows of it.
struct ToolTask {
  ompt_data_t data = ompt_data_none;  // first: what finds a ToolTask by it
  const void* code = nullptr;         // of an explicit one: its body's; null: it has none, or nobody knows
  ompt_frame_t frame{ompt_data_none, ompt_data_none, kFrameFlags, kFrameFlags};
  void* created_in = nullptr;  // of an explicit one: the frame by which its creator had entered the runtime
  void* below = nullptr;       // of an explicit one: the Task on top of which its thread executes it
  int flags = 0;               // ompt_task_flag_t; 0: the tool does not know it yet
  ompt_dispatch_chunk_t chunk{};   // of a taskloop, that it executes; no iterations: none
  bool is_internal = false;        // the tool never learns of it
  bool has_entered_below = false;  // enter_frame of the task below is there for it
  // What a thread does that executes it, and for which lock it waits: a thread may execute another task while
  // this one waits, and another thread may go on with it.
  ompt_state_t state = ompt_state_work_parallel;
  ompt_state_t state_unlocked{};  // `state` before it waited for a lock
  ompt_wait_id_t wait_id = 0;
  FirstEnd<> first_end;  // of a task with a detach clause
};

/// Bytes for a task of so many: with room for its ToolTask while a tool is active.
std::size_t bytes_with_tool(std::size_t bytes);

/// A number that no other call returns in this process, never 0.
std::uint64_t unique_tool_id();

/// Looks for a tool and initialises it, once in a process; without effect afterwards. Set by the room that
/// knows how (abi/ompt), null before.
using ToolCall = void (*)();
extern constinit ToolCall g_start_tool;
/// Finalises it, if one is active.
extern constinit ToolCall g_end_tool;

}  // namespace heddle
