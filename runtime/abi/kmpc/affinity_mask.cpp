// Masks of processors for a program's own threads: routines of LLVM's omp.h. Zero is success; a number that
// is no processor gives a negative result.
#include "abi/kmpc/kmpc.hpp"
#include "sys/affinity.hpp"

using namespace heddle;

namespace {

// What the program keeps as kmp_affinity_mask_t.
using Mask = void*;

ProcessorMask* mask_of(const Mask* mask) {
  return mask != nullptr ? static_cast<ProcessorMask*>(*mask) : nullptr;
}

bool is_processor(int number) {
  return number >= 0 && number < ProcessorMask::capacity();
}

int set_processor(int number, Mask* mask, bool is_in) {
  ProcessorMask* const found = mask_of(mask);
  if (found == nullptr || !is_processor(number)) return -1;
  if (is_in)
    found->add(number);
  else
    found->remove(number);
  return 0;
}

int get_processor(int number, const Mask* mask) {
  const ProcessorMask* const found = mask_of(mask);
  if (found == nullptr || !is_processor(number)) return -1;
  return found->contains(number);
}

}  // namespace

HEDDLE_EXPORT void kmp_create_affinity_mask(Mask* mask) {
  *mask = new ProcessorMask;
}
HEDDLE_EXPORT void kmp_destroy_affinity_mask(Mask* mask) {
  delete mask_of(mask);
  *mask = nullptr;
}
HEDDLE_EXPORT int kmp_get_affinity_max_proc() {
  return ProcessorMask::capacity();
}
HEDDLE_EXPORT int kmp_set_affinity(Mask* mask) {
  const ProcessorMask* const found = mask_of(mask);
  return found != nullptr && found->store_to_thread() ? 0 : -1;
}
HEDDLE_EXPORT int kmp_get_affinity(Mask* mask) {
  ProcessorMask* const found = mask_of(mask);
  return found != nullptr && found->load_from_thread() ? 0 : -1;
}

HEDDLE_EXPORT int kmp_set_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, true);
}
HEDDLE_EXPORT int kmp_unset_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, false);
}
HEDDLE_EXPORT int kmp_get_affinity_mask_proc(int number, Mask* mask) {
  return get_processor(number, mask);
}
HEDDLE_EXPORT int kmpc_set_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, true);
}
HEDDLE_EXPORT int kmpc_unset_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, false);
}
HEDDLE_EXPORT int kmpc_get_affinity_mask_proc(int number, Mask* mask) {
  return get_processor(number, mask);
}
