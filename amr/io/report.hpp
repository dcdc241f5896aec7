// The report at the end of a run: on the console, as results.txt and as results.yaml, in the forms of the
// reference.
//
// What has no meaning in one process (messages, migration) is reported as 0, so that programs that read these
// files find every key.
#pragma once

#include <string>

#include "amr/io/run_record.hpp"
#include "amr/io/settings.hpp"

namespace heddle::amr {

/// Everything that --report_perf asks for. Errors: throws UserError if a file cannot be written.
void write_reports(const Settings& settings, const RunRecord& record);

[[nodiscard]] std::string report_text(const Settings& settings, const RunRecord& record);
/// The part of the report that repeats the settings.
[[nodiscard]] std::string settings_text(const Settings& settings, const RunRecord& record);
[[nodiscard]] std::string results_yaml(const Settings& settings, const RunRecord& record);

}  // namespace heddle::amr
