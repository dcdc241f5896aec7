// A taskgraph region whose tasks are known when it is compiled: which they are, what each is given and what
// it depends on.
//
// The region's code is executed here, on numbers and addresses of global variables, from
// heddle_taskgraph_begin() to heddle_taskgraph_end(). What it does but create tasks must be computable: loops
// with constant bounds, indices, reads of constants. Source of the idea: Yu, Royuela and Quiñones, arXiv
// 2212.04771, section 4.2.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace heddle::compiler {

/// A number, or a place: base plus offset. Anything else is unknown.
struct Known {
  enum class Kind : std::uint8_t { kNumber, kGlobal, kLocal, kTask, kShared, kUnknown };
  Kind kind = Kind::kUnknown;
  const llvm::Value* base = nullptr;  // kGlobal, kLocal: the variable
  std::size_t task = 0;     // kTask, kShared: of which task its memory, or its shared variables' addresses
  std::int64_t number = 0;  // the number, or the offset in bytes

  bool is_number() const { return kind == Kind::kNumber; }
  bool is_place() const { return kind != Kind::kNumber && kind != Kind::kUnknown; }
  bool is_same_base(const Known& other) const {
    return kind == other.kind && base == other.base && task == other.task;
  }
};

/// Bytes in which numbers and places stand, each where it was stored.
class Memory {
 public:
  void store(std::int64_t at, std::uint64_t size, Known value);
  /// What was stored there with that size; zero where nothing was and memory began as zeros.
  Known load(std::int64_t at, std::uint64_t size) const;
  void clear(std::int64_t at, std::uint64_t size);
  struct Cell {
    std::uint64_t size;
    Known value;
  };
  const std::map<std::int64_t, Cell>& cells() const { return cells_; }

 private:
  std::map<std::int64_t, Cell> cells_;
};

enum class Access : std::uint8_t { kIn, kOut };

struct DependenceOn {
  const llvm::Value* base;
  std::int64_t offset;
  Access access;
};

struct StaticTask {
  llvm::Function* entry = nullptr;
  llvm::Value* location = nullptr;  // what the compiler passes to the runtime
  std::uint64_t bytes = 0;          // of the task, without its shared variables' addresses
  std::uint64_t shared_bytes = 0;
  Memory memory, shared;
  std::vector<DependenceOn> dependences;
};

/// What a region creates, in order. waits[i]: how many tasks there were when it waited for all of them.
struct StaticRegion {
  std::vector<StaticTask> tasks;
  std::vector<std::size_t> waits;
};

/// Executes the region behind heddle_taskgraph_begin(). Returns false where it cannot, and says in `why` what
/// was met.
bool execute_region(llvm::CallInst& begin, StaticRegion& region, std::string& why);

/// Who waits for whom: pairs of numbers, first the one that comes first. Tasks have theirs in the order of
/// their creation; those behind them are the waits.
std::vector<std::pair<std::size_t, std::size_t>> edges_of(const StaticRegion& region);

}  // namespace heddle::compiler
