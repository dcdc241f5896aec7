// What the environment says, read once: the initial values of the internal control variables (OpenMP 5.2,
// chapter 21).
//
// Words: a *variable* is one of environment.json, which says what may stand in it; a *reader* turns its text
// into a field of Settings (variables.hpp).
#pragma once

#include "icv/values.hpp"

namespace heddle {

/// The settings of this process. A value that is not understood is reported in one line and replaced by the
/// default.
const Settings& settings();

/// Whether settings() was called before: what the environment says from then on comes too late.
bool settings_are_read();

/// Reads all variables by way of look_up(name), which returns their text or null.
Settings read_settings(const char* (*look_up)(const char* name));

}  // namespace heddle
