// The mesh of heddle-amr without its fields: what each rank has, and what it exchanges with whom.
#pragma once

#include "amr/field/octree.hpp"
#include "amr/io/settings.hpp"
#include "exchange/message_plan.hpp"

namespace heddle::simulate {

class AmrMesh {
 public:
  using Messages = exchange::MessagePlan<amr::kAxes, amr::kRatio>;

  /// Of one rank. Slots are local indices.
  struct Plans {
    amr::TransferPlan transfers;
    Messages messages;
  };

  /// As it is when the first timestep begins: refined around the objects, and balanced by bisection.
  explicit AmrMesh(const amr::Settings& settings);

  [[nodiscard]] int leaves() const { return tree_.size(); }
  [[nodiscard]] Plans plans_of(int rank) const;

 private:
  amr::BlockTree tree_;
};

}  // namespace heddle::simulate
