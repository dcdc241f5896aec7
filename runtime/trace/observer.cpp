#include "trace/observer.hpp"

#include <cstdlib>

namespace heddle {

constinit std::array<std::atomic<Observer*>, kMostObservers> g_observers{};
constinit std::atomic<int> g_observer_count{0};

void add_observer(Observer& observer) {
  for (auto& place : g_observers) {
    Observer* nobody = nullptr;
    // release: pairs with the acquire in notify_observers()
    if (!place.compare_exchange_strong(nobody, &observer, std::memory_order_release)) continue;
    g_observer_count.fetch_add(1, std::memory_order_release);
    return;
  }
  std::abort();  // more observers than there are kinds
}

void remove_observer(Observer& observer) {
  for (auto& place : g_observers) {
    Observer* known = &observer;
    if (!place.compare_exchange_strong(known, nullptr, std::memory_order_acq_rel)) continue;
    g_observer_count.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace heddle
