// A count of those that are waited for, which the last of them need not write.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// One less. Returns true where it was the last one; then the count may stay 1.
/// Ordering: what came before the other calls is visible to the thread that gets true.
template <template <class> class Atomic>
bool count_down(Atomic<std::uint32_t>& pending) {
  // acquire: pairs with the release of those before; the last one has nobody to tell
  if (pending.load(std::memory_order_acquire) == 1) return true;
  return pending.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

}  // namespace heddle
