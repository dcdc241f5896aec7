// A taskgraph region whose tasks are known when it is compiled: which they are, what each is given and what
// it depends on.
//
// The region's code is executed here, on constants, from heddle_taskgraph_begin() to heddle_taskgraph_end();
// LLVM computes what an instruction gives. What it does but create tasks must be computable: loops
// with constant bounds, indices, reads of constants. Source of the idea: Yu, Royuela and Quiñones, arXiv
// 2212.04771, section 4.2.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <llvm/IR/Constant.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

#include "runtime/deps/access.hpp"

namespace heddle::compiler {

/// Bytes of a variable or of a task, in which constants stand, each where it was stored.
class Memory {
 public:
  struct Cell {
    std::uint64_t size;
    llvm::Constant* value;  // null: not known
  };
  void store(std::int64_t at, std::uint64_t size, llvm::Constant* value);
  /// What was stored there with that size; null where nothing was, or it is not known.
  llvm::Constant* load(std::int64_t at, std::uint64_t size) const;
  /// Nothing was stored there.
  void clear(std::int64_t at, std::uint64_t size);
  const std::map<std::int64_t, Cell>& cells() const { return cells_; }

 private:
  std::map<std::int64_t, Cell> cells_;
};

/// An address: so many bytes into a global variable.
struct Place {
  const llvm::GlobalVariable* variable;
  std::int64_t offset;
  auto operator<=>(const Place&) const = default;
};

/// A list item of a depend clause, for add_accesses().
struct StaticDependence {
  const Place* address;  // in StaticRegion::places
  AccessKind kind;
  bool is_all_memory;
};

struct StaticTask {
  llvm::Function* entry = nullptr;
  llvm::Value* location = nullptr;  // what the compiler passes to the runtime
  std::uint64_t bytes = 0;          // of the task, without its shared variables' addresses
  std::uint64_t shared_bytes = 0;
  Memory memory, shared;
  std::vector<StaticDependence> dependences;
};

/// What a region creates, in order. waits[i]: how many tasks there were when it waited for all of them.
struct StaticRegion {
  std::vector<StaticTask> tasks;
  std::vector<std::size_t> waits;
  std::set<Place> places;  // that dependences name
};

/// Executes the region behind heddle_taskgraph_begin(). Returns false where it cannot, and says in `why` what
/// was met.
bool execute_region(llvm::CallInst& begin, StaticRegion& region, std::string& why);

/// Who waits for whom: pairs of numbers, first the one that comes first. Tasks have theirs in the order of
/// their creation; those behind them are the waits.
std::vector<std::pair<std::size_t, std::size_t>> edges_of(const StaticRegion& region);

}  // namespace heddle::compiler
