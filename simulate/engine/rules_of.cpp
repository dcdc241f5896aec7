#include "simulate/engine/rules_of.hpp"

#include "simulate/engine/gomp_rules.hpp"
#include "simulate/engine/heddle_rules.hpp"
#include "simulate/engine/omp_rules.hpp"

namespace heddle::simulate {

std::unique_ptr<RuntimeRules> rules_of(Runtime runtime, const Costs& costs, const DataHomes& homes) {
  switch (runtime) {
    case Runtime::kGnu:
      return std::make_unique<GompRules>(costs);
    case Runtime::kLlvm:
      return std::make_unique<OmpRules>(costs, homes.workers());
    case Runtime::kHeddle:
      break;
  }
  return std::make_unique<HeddleRules>(costs, homes);
}

}  // namespace heddle::simulate
