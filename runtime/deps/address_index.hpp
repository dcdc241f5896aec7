// Where the entries of addresses stand in an array: numbers in the order in which the addresses came, so that
// those that came together stand together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/address_hash.hpp"
#include "base/cache_line.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

class AddressIndex {
 public:
  static constexpr std::size_t kFewestSlots = 128;

  /// Addresses that it has room for.
  std::size_t capacity() const { return slots_.size() / 2; }
  std::size_t size() const { return slots_of_.size(); }

  /// A place for an address that is new.
  struct Free {
    std::size_t slot;
    std::uint32_t tag;
  };
  /// What entry_of(number) returns for an address: something whose `address` it is. Where the address is new,
  /// what enter(free) returns, which calls take(free). Requires: size() < capacity().
  template <class EntryOf, class Enter>
  decltype(auto) find(const void* address, EntryOf&& entry_of, Enter&& enter) {
    const Place place(address);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = place.slot & mask;; i = (i + 1) & mask) {
      const Slot slot = slots_[i];
      if (slot.end == 0) return enter(Free{i, place.tag});
      if (slot.tag != place.tag) continue;
      if (auto& entry = entry_of(slot.end - 1); entry.address == address) return entry;
    }
  }
  /// The address gets the number size().
  void take(const Free& free) {
    slots_of_.push_back(static_cast<std::uint32_t>(free.slot));
    slots_[free.slot] = {free.tag, static_cast<std::uint32_t>(slots_of_.size())};
  }
  /// Its room stays.
  void clear() {
    for (const std::uint32_t slot : slots_of_) slots_[slot] = {};
    slots_of_.clear();
  }
  /// Has these addresses from now on, and room for `capacity` of them, a power of two, or more.
  template <class AddressOf>
  void rebuild(std::size_t capacity, std::uint32_t size, AddressOf&& address_of) {
    slots_.assign(std::max(kFewestSlots, 2 * capacity), {});
    slots_of_.clear();
    slots_of_.reserve(this->capacity());
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t number = 0; number < size; ++number) {
      const Place place(address_of(number));
      std::size_t i = place.slot & mask;
      while (slots_[i].end != 0) i = (i + 1) & mask;
      take({i, place.tag});
    }
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;  // other bits of the address's hash: most entries looked at are the right ones
    std::uint32_t end = 0;  // the number behind the address's; 0: free
  };
  // Where to look for an address. The words of one cache line have their slots in a row: a program
  // that names an element names its neighbours soon.
  struct Place {
    explicit Place(const void* address) {
      const auto number = reinterpret_cast<std::uintptr_t>(address);
      const std::uint64_t hash = hash_of(std::uint64_t{number / kCacheLine * kWord + number % kWord});
      slot = static_cast<std::size_t>(hash >> 16) + number / kWord % kWords;
      tag = static_cast<std::uint32_t>(hash >> 32) ^ static_cast<std::uint32_t>(number % kCacheLine);
    }
    static constexpr std::size_t kWord = 8, kWords = kCacheLine / kWord;

    std::size_t slot;
    std::uint32_t tag;
  };

  LargeVector<Slot> slots_;              // open addressing, a power of two
  LargeVector<std::uint32_t> slots_of_;  // by number: the index of its slot
};

}  // namespace heddle
