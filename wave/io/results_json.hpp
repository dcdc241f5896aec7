// Results of a run as files.
#pragma once

#include "wave/io/run_record.hpp"
#include "wave/io/settings.hpp"

namespace heddle::wave {

/// Errors: throws UserError, leaving no partial file, if it cannot be written.
void write_results_json(const Settings& settings, const RunRecord& record);

/// Lines x,y,width,value,level. Errors: as above.
void write_samples(const std::string& path, const std::vector<Sample>& samples);

}  // namespace heddle::wave
