// The results file (--results): what a run computed, in the field names of the golden results that the tests
// compare with.
#pragma once

#include "amr/io/run_record.hpp"
#include "amr/io/settings.hpp"

namespace heddle::amr {

/// Writes settings.results, whole or not at all.
void write_results_json(const Settings& settings, const RunRecord& record);

}  // namespace heddle::amr
