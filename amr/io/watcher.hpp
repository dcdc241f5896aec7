// What a run tells while it goes on. The engine calls a watcher; what becomes of it is the watcher's affair.
#pragma once

#include <string>

#include "amr/field/octree.hpp"
#include "amr/io/run_record.hpp"

namespace heddle::amr {

class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void timestep_begins(const TimestepRecord& /*step*/) {}
  virtual void timestep_ends(const RunRecord& /*so_far*/, const BlockTree& /*tree*/) {}
  virtual void refined(const RefinementRecord& /*refinement*/) {}
  virtual void checked(int /*timestep*/, int /*v*/, double /*sum*/, double /*old*/) {}
  virtual void check_failed(const std::string& /*message*/) {}
  /// The moment for a plot of the mesh.
  virtual void plot(const BlockTree& /*tree*/, int /*timestep*/) {}
};

}  // namespace heddle::amr
