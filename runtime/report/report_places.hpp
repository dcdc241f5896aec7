// Code in a report, in words.
#pragma once

#include <span>
#include <string>

#include "task/task.hpp"

namespace heddle {

/// Code in the report: as file:line; or as {call ADDRESS FILE} and {task ADDRESS FILE} for a reader that
/// resolves it, and then every thread must stand still.
enum class Places { kResolved, kRaw };

/// Bodies of a compiler's tasks, and where its code for one stands.
void name_task_bodies(Task::Body body, const void* (*code_of)(const Task&));

/// A piece of code, as the reader of the report wants it.
std::string place_of(const void* code, bool is_return_address, Places places);

/// The program's own frames among these return addresses, the innermost first: " at …, called from …". Empty
/// where there are none.
std::string places_of(std::span<void* const> frames, Places places);

/// Whether the innermost frame outside the C library is libheddle's: what was called does not go on.
bool begins_in_libheddle(std::span<void* const> frames);

/// Where the code of a task stands; nullptr where that is not known.
const void* code_of(const Task& task);

}  // namespace heddle
