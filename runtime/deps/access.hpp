// The kinds of access that a depend clause can state, and how they order siblings (OpenMP 5.2,
// section 15.9.5).
//
// Words: accesses of a *sharing* kind that follow one another on one address form a set whose members do not
// wait for each other; every set waits for the whole set before it. Per address there is an *entry* with the
// *current* set of accesses and the *previous* one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace heddle {

enum class AccessKind : std::uint8_t {
  kIn,             // readers: a sharing kind
  kOut,            // out and inout: alone in its set
  kMutexInOutSet,  // in any order, one at a time: a sharing kind with an exclusion
  kInOutSet,       // in any order, together: a sharing kind
};

constexpr bool is_sharing(AccessKind kind) {
  return kind != AccessKind::kOut;
}

/// One list item of a depend clause. `address` is what identifies the storage; null with `is_all_memory`.
struct Dependence {
  void* address;
  AccessKind kind;
  bool is_all_memory;
};

/// Whether an access belongs to the current set of its address, and does not begin a new one.
template <class Set>
bool joins(AccessKind kind, const Set& current) {
  return is_sharing(kind) && current.kind == kind && current.size() != 0;
}

/// The accesses of one task or node, which its later siblings wait for, and which wait for those of its
/// earlier siblings. This is the one place with the rules of the standard: for tasks in execution
/// (DependenceTable), for the nodes of a recording (AccessHistory), and for graphs that are made when a
/// program is compiled (compiler/region.cpp). `accesses` keeps the sets and knows whose accesses these are:
///   kind_of(dependence)   what it counts as: a recording has no exclusions
///   entry(address)     the address's entry, with its `current` set and the `previous` one
///   open(entry, kind)  the current set becomes the previous one; a new one of that kind begins
///   enter(entry)       the task is in the current set from now on
///   wait_for(set)      the task waits for all in the set but for itself
///   wait_for_all(), enter_all()   the same for the current sets of all addresses, which become one
template <class Accesses, class Dependences>
void add_accesses(Accesses& accesses, const Dependences& dependences) {
  for (const auto& dependence : dependences) {
    if (dependence.is_all_memory) {
      accesses.wait_for_all();
      accesses.enter_all();
    } else if (dependence.address != nullptr) {
      auto& entry = accesses.entry(dependence.address);
      const AccessKind kind = accesses.kind_of(dependence);
      if (!joins(kind, entry.current)) accesses.open(entry, kind);
      accesses.wait_for(entry.previous);
      accesses.enter(entry);
    }
  }
}

/// The accesses of what is complete before another sibling can be created (an undeferred task, taskwait with
/// depend): nothing waits for them. One that would have to exclude others waits for these.
template <class Accesses, class Dependences>
void add_waiting_only(Accesses& accesses, const Dependences& dependences) {
  for (const auto& dependence : dependences) {
    if (dependence.is_all_memory) {
      accesses.wait_for_all();
    } else if (dependence.address != nullptr) {
      auto& entry = accesses.entry(dependence.address);
      const bool shares =
          dependence.kind != AccessKind::kMutexInOutSet && joins(dependence.kind, entry.current);
      accesses.wait_for(shares ? entry.previous : entry.current);
    }
  }
}

// The dependences of one construct, as the compiled program's array is read: on the stack where they are few.

class DependenceList {
 public:
  /// An empty list.
  DependenceList() = default;
  DependenceList(const DependenceList&) = delete;
  DependenceList& operator=(const DependenceList&) = delete;

  /// Room for `count` dependences, to be written by the caller. Called once.
  Dependence* make_room(std::size_t count) {
    count_ = count;
    if (count > kFew) {
      many_ = std::make_unique<Dependence[]>(count);
      items_ = many_.get();
    }
    return items_;
  }

  std::span<const Dependence> span() const { return {items_, count_}; }

 private:
  static constexpr std::size_t kFew = 16;

  std::size_t count_ = 0;
  Dependence* items_ = few_;
  std::unique_ptr<Dependence[]> many_;
  Dependence few_[kFew];  // NOLINT: written by the thread that asked for room
};

}  // namespace heddle
