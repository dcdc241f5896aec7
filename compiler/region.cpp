#include "compiler/region.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace heddle::compiler {
namespace {

using llvm::Constant;
using llvm::GlobalVariable;
using llvm::Value;

constexpr std::size_t kMostTasks = 1 << 16;
constexpr std::size_t kMostSteps = 1 << 24;
// kmp_depend_info: base_addr, len, flags.
constexpr std::int64_t kDependBytes = 24, kFlagsAt = 16;
constexpr std::uint64_t kIn = 1, kOut = 2, kMutexInOutSet = 4, kInOutSet = 8, kAllMemory = 0x80;
// kmp_tasking_flags: a tied or untied task, and nothing else.
constexpr std::uint64_t kPlainFlags = 1;

struct Refusal {
  std::string why;
};

[[noreturn]] void refuse(std::string why) {
  throw Refusal{std::move(why)};
}

std::string name_of(const llvm::Function* function) {
  return function != nullptr ? "a call of " + function->getName().str() : "an indirect call";
}

bool is_jump(const llvm::Instruction* one) {
#if LLVM_VERSION_MAJOR >= 23  // a class for each kind of branch
  return llvm::isa<llvm::UncondBrInst>(one);
#else
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(one);
  return branch != nullptr && branch->isUnconditional();
#endif
}

// A conditional branch's condition; null for any other instruction. Its first successor is where it holds.
Value* condition_of(const llvm::Instruction* one) {
#if LLVM_VERSION_MAJOR >= 23
  const auto* branch = llvm::dyn_cast<llvm::CondBrInst>(one);
  return branch != nullptr ? branch->getCondition() : nullptr;
#else
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(one);
  return branch != nullptr && branch->isConditional() ? branch->getCondition() : nullptr;
#endif
}

std::optional<Place> place_of(Constant* known, const llvm::DataLayout& layout) {
  llvm::GlobalValue* global = nullptr;
  llvm::APInt offset;
  if (known == nullptr || !llvm::IsConstantOffsetFromGlobal(known, global, offset, layout))
    return std::nullopt;
  const auto* const variable = llvm::dyn_cast<GlobalVariable>(global);
  if (variable == nullptr || variable->isThreadLocal()) return std::nullopt;
  return Place{variable, offset.getSExtValue()};
}

// Variables that stand for what has no address while the compiler runs: local variables, tasks, and what
// tasks share. They make such an address a constant, with which LLVM can compute.
class StandIns {
 public:
  enum class What : std::uint8_t { kLocal, kTask, kShared };
  struct Meaning {
    What what;
    std::size_t task;  // of kTask and kShared
  };

  explicit StandIns(const llvm::Module& of) : module_("heddle.stand-ins", of.getContext()) {
    module_.setDataLayout(of.getDataLayout());
  }
  // Constants live as long as the compiler, which is to find none with a variable that has gone.
  ~StandIns() {
    for (GlobalVariable& variable : module_.globals()) variable.removeDeadConstantUsers();
  }
  StandIns(const StandIns&) = delete;
  StandIns& operator=(const StandIns&) = delete;

  GlobalVariable* make(Meaning meaning) {
    auto* const byte = llvm::Type::getInt8Ty(module_.getContext());
    auto* const made = new GlobalVariable(module_, byte, false, llvm::GlobalValue::InternalLinkage,
                                          llvm::ConstantInt::get(byte, 0), "stand-in");
    meanings_.emplace(made, meaning);
    return made;
  }

  /// Null of a variable that the program has.
  const Meaning* meaning_of(const GlobalVariable* variable) const {
    const auto found = meanings_.find(variable);
    return found != meanings_.end() ? &found->second : nullptr;
  }

 private:
  llvm::Module module_;
  std::map<const GlobalVariable*, Meaning> meanings_;
};

class Execution {
 public:
  Execution(llvm::CallInst& begin, StaticRegion& region)
      : region_(region), layout_(begin.getModule()->getDataLayout()), stand_ins_(*begin.getModule()) {
    values_[&begin] = llvm::ConstantInt::get(begin.getType(), 1);
    at_ = begin.getNextNode();
  }

  void run() {
    for (std::size_t steps = 0; !is_over_; ++steps) {
      if (steps > kMostSteps) refuse("its code takes too long to execute here");
      step();
    }
    if (region_.tasks.empty()) refuse("it creates no tasks");
    for (const StaticTask& task : region_.tasks) {
      check_data(task.memory);
      check_data(task.shared);
    }
  }

 private:
  std::uint64_t bytes(llvm::Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  // Of anything: what was computed in the region, what is constant, and what was computed before of those.
  // Null: it is not known.
  Constant* value(Value* v) {
    if (const auto found = values_.find(v); found != values_.end()) return found->second;
    if (auto* const constant = llvm::dyn_cast<Constant>(v))
      return defined(llvm::ConstantFoldConstant(constant, layout_));
    if (llvm::isa<llvm::AllocaInst>(v))
      return values_[v] = stand_ins_.make({.what = StandIns::What::kLocal, .task = 0});
    auto* const instruction = llvm::dyn_cast<llvm::Instruction>(v);
    if (instruction == nullptr || llvm::isa<llvm::PHINode>(v) || llvm::isa<llvm::CallBase>(v) ||
        instruction->mayReadOrWriteMemory())
      return nullptr;
    return operation(*instruction);
  }

  static Constant* defined(Constant* known) {
    return known != nullptr && !known->containsUndefOrPoisonElement() && !llvm::isa<llvm::UndefValue>(known)
               ? known
               : nullptr;
  }

  // Nothing where one of them is not known.
  template <class Uses>
  std::optional<std::vector<Constant*>> known(const Uses& uses) {
    std::vector<Constant*> all;
    for (Value* const use : uses) {
      all.push_back(value(use));
      if (all.back() == nullptr) return std::nullopt;
    }
    return all;
  }

  std::optional<std::uint64_t> number(Value* v) { return number_of(value(v)); }
  static std::optional<std::uint64_t> number_of(const Constant* known) {
    const auto* const integer = llvm::dyn_cast_or_null<llvm::ConstantInt>(known);
    if (integer == nullptr || integer->getBitWidth() > 64) return std::nullopt;
    return integer->getZExtValue();
  }

  std::optional<Place> place(Value* v) { return place_of(value(v), layout_); }

  // What reads and writes no memory.
  Constant* operation(llvm::Instruction& instruction) {
    if (auto* const select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      const auto condition = number(select->getCondition());
      if (!condition) return nullptr;
      return value(*condition != 0 ? select->getTrueValue() : select->getFalseValue());
    }
    if (llvm::isa<llvm::FreezeInst>(instruction)) return value(instruction.getOperand(0));
    const auto operands = known(instruction.operands());
    if (!operands) return nullptr;
    if (const auto* const comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
      if (Constant* const result = compared_with_null(*comparison, *operands)) return result;
    return defined(llvm::ConstantFoldInstOperands(&instruction, *operands, layout_, nullptr, false));
  }

  // The region runs on a runtime that has what it calls.
  static Constant* compared_with_null(const llvm::ICmpInst& comparison, llvm::ArrayRef<Constant*> operands) {
    const auto* const function = llvm::dyn_cast<llvm::Function>(operands[0]);
    if (function == nullptr || !operands[1]->isNullValue() || !comparison.isEquality()) return nullptr;
    return llvm::ConstantInt::getBool(comparison.getContext(),
                                      comparison.getPredicate() == llvm::CmpInst::ICMP_NE);
  }

  // Null of a variable that the program has.
  Memory* memory_at(const Place& place) {
    const StandIns::Meaning* const meaning = stand_ins_.meaning_of(place.variable);
    if (meaning == nullptr) return nullptr;
    switch (meaning->what) {
      case StandIns::What::kLocal:
        return &locals_[place.variable];
      case StandIns::What::kTask:
        return &region_.tasks[meaning->task].memory;
      default:
        return &region_.tasks[meaning->task].shared;
    }
  }

  Memory& memory_to_write(const std::optional<Place>& place) {
    if (!place) refuse("its code writes where only a run knows");
    Memory* const memory = memory_at(*place);
    if (memory == nullptr) refuse("its code writes a variable, outside of tasks");
    return *memory;
  }

  Constant* loaded(llvm::LoadInst& load) {
    const std::optional<Place> from = place(load.getPointerOperand());
    if (!from) return nullptr;  // the thread's number, for example: what needs it says so
    llvm::Type* const type = load.getType();
    const StandIns::Meaning* const meaning = stand_ins_.meaning_of(from->variable);
    if (meaning == nullptr) {
      if (!from->variable->isConstant() || !from->variable->hasDefinitiveInitializer())
        refuse("its code reads a variable, which others may change");
      const llvm::APInt offset(64, static_cast<std::uint64_t>(from->offset));
      return defined(llvm::ConstantFoldLoadFromConst(const_cast<Constant*>(from->variable->getInitializer()),
                                                     type, offset, layout_));
    }
    if (meaning->what == StandIns::What::kTask && from->offset == 0) return shared_.at(meaning->task);
    Constant* const known = memory_at(*from)->load(from->offset, bytes(type));
    return known != nullptr ? llvm::ConstantFoldLoadThroughBitcast(known, type, layout_) : nullptr;
  }

  void store(llvm::StoreInst& store) {
    const std::optional<Place> to = place(store.getPointerOperand());
    memory_to_write(to).store(to->offset, bytes(store.getValueOperand()->getType()),
                              value(store.getValueOperand()));
  }

  void create(llvm::CallInst& call) {
    const auto flags = number(call.getArgOperand(2)), size = number(call.getArgOperand(3)),
               shared = number(call.getArgOperand(4));
    if (!flags || !size || !shared) refuse("what a task is depends on the run");
    if ((*flags & ~kPlainFlags) != 0) refuse("a task has a clause that graphs made here do not know");
    const std::size_t number = region_.tasks.size();
    if (number == kMostTasks) refuse("it has too many tasks for a graph that is made here");
    StaticTask task;
    task.entry = llvm::dyn_cast<llvm::Function>(call.getArgOperand(5)->stripPointerCasts());
    if (task.entry == nullptr) refuse("the body of a task is not known");
    task.location = call.getArgOperand(0);
    task.bytes = *size;
    task.shared_bytes = *shared;
    values_[&call] = stand_ins_.make({StandIns::What::kTask, number});
    shared_.push_back(stand_ins_.make({StandIns::What::kShared, number}));
    region_.tasks.push_back(std::move(task));
  }

  void submit(llvm::CallInst& call, bool has_dependences) {
    const std::optional<Place> of = place(call.getArgOperand(2));
    const StandIns::Meaning* const meaning = of ? stand_ins_.meaning_of(of->variable) : nullptr;
    if (meaning == nullptr || meaning->what != StandIns::What::kTask || meaning->task != submitted_)
      refuse("tasks are created in another order than begun");
    StaticTask& task = region_.tasks[submitted_++];
    if (!has_dependences) return;
    const auto count = number(call.getArgOperand(3)), others = number(call.getArgOperand(5));
    const std::optional<Place> list = place(call.getArgOperand(4));
    const Memory* const memory = list ? memory_at(*list) : nullptr;
    if (!count || others != 0 || memory == nullptr)
      refuse("how many dependences a task has depends on the run");
    for (std::uint64_t i = 0; i < *count; ++i) {
      const std::int64_t at = list->offset + static_cast<std::int64_t>(i) * kDependBytes;
      task.dependences.push_back(dependence(memory->load(at, 8), number_of(memory->load(at + kFlagsAt, 1))));
    }
  }

  StaticDependence dependence(Constant* on, std::optional<std::uint64_t> flags) {
    if (!flags) refuse("a dependence is of a kind that only a run knows");
    if (*flags == kAllMemory) return {nullptr, AccessKind::kOut, true};
    const std::optional<Place> place = place_of(on, layout_);
    if (!place) refuse("a dependence names an address that only a run knows");
    if (stand_ins_.meaning_of(place->variable) != nullptr) refuse("a dependence names a local variable");
    AccessKind kind = AccessKind::kOut;
    switch (*flags) {
      case kIn:
        kind = AccessKind::kIn;
        break;
      case kInOutSet:
        kind = AccessKind::kInOutSet;
        break;
      case kOut:
      case kIn | kOut:
      case kMutexInOutSet:  // in the order of their creation, as in a recording
        break;
      default:
        refuse("a dependence is of a kind that graphs made here do not know");
    }
    return {&*region_.places.insert(*place).first, kind, false};
  }

  void called(llvm::CallInst& call) {
    if (call.isInlineAsm()) {
      // heddle.h's number of which compilers know nothing.
      if (call.arg_size() != 1 || call.getType()->isVoidTy()) refuse("inline assembly");
      values_[&call] = value(call.getArgOperand(0));
      return;
    }
    llvm::Function* const function = call.getCalledFunction();
    const llvm::StringRef name = function != nullptr ? function->getName() : "";
    if (name == "heddle_taskgraph_end") {
      is_over_ = true;
    } else if (name == "__kmpc_omp_task_alloc") {
      create(call);
    } else if (name == "__kmpc_omp_task") {
      submit(call, false);
    } else if (name == "__kmpc_omp_task_with_deps") {
      submit(call, true);
    } else if (name == "__kmpc_omp_taskwait") {
      region_.waits.push_back(submitted_);
    } else if (name == "__kmpc_global_thread_num") {
      values_[&call] = nullptr;
    } else if (auto* const set = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
      const auto length = number(set->getLength());
      if (!length || number(set->getValue()) != 0) refuse("memory is filled with more than zeros");
      const std::optional<Place> to = place(set->getDest());
      memory_to_write(to).clear(to->offset, *length);
    } else if (function != nullptr && function->isIntrinsic() &&
               llvm::canConstantFoldCallTo(&call, function)) {
      const auto operands = known(call.args());
      values_[&call] =
          operands ? defined(llvm::ConstantFoldCall(&call, function, *operands, nullptr, false)) : nullptr;
    } else if (!call.isLifetimeStartOrEnd() && !call.isDebugOrPseudoInst() &&
               !llvm::isa<llvm::AssumeInst>(call) &&
               (function == nullptr || function->getIntrinsicID() != llvm::Intrinsic::frameaddress)) {
      refuse(name_of(function) + ", outside of tasks");
    }
  }

  void go_to(llvm::BasicBlock* next) {
    // All at once: one may be another's operand.
    std::vector<std::pair<Value*, Constant*>> incoming;
    for (llvm::PHINode& phi : next->phis())
      incoming.emplace_back(&phi, value(phi.getIncomingValueForBlock(at_->getParent())));
    for (const auto& [phi, known] : incoming) values_[phi] = known;
    at_ = &*next->getFirstNonPHIIt();
  }

  void step() {
    llvm::Instruction* const now = at_;
    if (is_jump(now)) return go_to(now->getSuccessor(0));
    constexpr char kUnknownBranch[] = "which tasks there are depends on a condition that only a run knows";
    if (Value* const choice = condition_of(now)) {
      const auto condition = number(choice);
      if (!condition) refuse(kUnknownBranch);
      return go_to(now->getSuccessor(*condition != 0 ? 0 : 1));
    }
    if (auto* const choice = llvm::dyn_cast<llvm::SwitchInst>(now)) {
      auto* const condition = llvm::dyn_cast_or_null<llvm::ConstantInt>(value(choice->getCondition()));
      if (condition == nullptr) refuse(kUnknownBranch);
      return go_to(choice->findCaseValue(condition)->getCaseSuccessor());
    }
    if (now->isTerminator()) refuse("it is left in the middle");
    at_ = now->getNextNode();
    if (auto* const call = llvm::dyn_cast<llvm::CallInst>(now)) return called(*call);
    if (auto* const load = llvm::dyn_cast<llvm::LoadInst>(now)) {
      values_[now] = loaded(*load);
    } else if (auto* const stored = llvm::dyn_cast<llvm::StoreInst>(now)) {
      store(*stored);
    } else if (!llvm::isa<llvm::AllocaInst>(now)) {
      if (now->mayReadOrWriteMemory()) refuse("its code does more to memory than to read and to write it");
      values_[now] = operation(*now);
    }
  }

  // A linker can fill in a number, and the address of a variable that the program has.
  void check_data(const Memory& memory) const {
    for (const auto& [at, cell] : memory.cells()) {
      if (cell.value == nullptr) refuse("a task is given what only a run knows");
      if (llvm::isa<llvm::ConstantData>(cell.value) || llvm::isa<llvm::Function>(cell.value)) continue;
      const std::optional<Place> place = place_of(cell.value, layout_);
      if (!place) refuse("a task is given what only a run knows");
      if (const StandIns::Meaning* const meaning = stand_ins_.meaning_of(place->variable))
        refuse(meaning->what == StandIns::What::kLocal ? "a task shares a local variable"
                                                       : "a task is given what only a run knows");
      if (cell.size != layout_.getPointerSize()) refuse("a task is given a part of an address");
    }
  }

  StaticRegion& region_;
  const llvm::DataLayout& layout_;
  StandIns stand_ins_;
  llvm::Instruction* at_;
  bool is_over_ = false;
  std::size_t submitted_ = 0;
  std::map<Value*, Constant*> values_;
  std::map<const GlobalVariable*, Memory> locals_;
  std::vector<GlobalVariable*> shared_;  // by task: what stands for what it shares
};

// The accesses of a task of a region; see add_accesses().
struct Accesses {
  struct Set {
    AccessKind kind = AccessKind::kOut;
    std::vector<std::size_t> tasks;
    std::size_t size() const { return tasks.size(); }
  };
  struct Entry {
    Set current, previous;
  };

  std::size_t task = 0;
  std::set<std::size_t> awaited;
  std::map<const Place*, Entry> entries;
  Set all_memory;

  static AccessKind kind_of(const StaticDependence& dependence) { return dependence.kind; }
  Entry& entry(const Place* address) {
    return entries.try_emplace(address, Entry{all_memory, {}}).first->second;
  }
  static void open(Entry& entry, AccessKind kind) {
    entry.previous = std::exchange(entry.current, Set{kind, {}});
  }
  void enter(Entry& entry) const { entry.current.tasks.push_back(task); }
  void wait_for(const Set& set) {
    for (const std::size_t other : set.tasks)
      if (other != task) awaited.insert(other);
  }
  void wait_for_all() {
    wait_for(all_memory);
    for (const auto& [address, entry] : entries) wait_for(entry.current);
  }
  void enter_all() {
    entries.clear();
    all_memory.tasks = {task};
  }
};

}  // namespace

void Memory::store(std::int64_t at, std::uint64_t size, Constant* value) {
  clear(at, size);
  cells_[at] = {size, value};
}

Constant* Memory::load(std::int64_t at, std::uint64_t size) const {
  const auto found = cells_.find(at);
  return found != cells_.end() && found->second.size == size ? found->second.value : nullptr;
}

void Memory::clear(std::int64_t at, std::uint64_t size) {
  const std::int64_t end = at + static_cast<std::int64_t>(size);
  std::erase_if(cells_, [&](const auto& entry) {
    return entry.first < end && entry.first + static_cast<std::int64_t>(entry.second.size) > at;
  });
}

bool execute_region(llvm::CallInst& begin, StaticRegion& region, std::string& why) {
  try {
    Execution(begin, region).run();
    return true;
  } catch (const Refusal& refusal) {
    why = refusal.why;
    return false;
  }
}

std::vector<std::pair<std::size_t, std::size_t>> edges_of(const StaticRegion& region) {
  Accesses accesses;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::size_t first = 0, wait = 0;  // since the last wait
  const auto end_at_wait = [&](std::size_t before) {
    const std::size_t node = region.tasks.size() + wait++;
    for (std::size_t task = first; task < before; ++task) edges.emplace_back(task, node);
    if (first == before && wait > 1) edges.emplace_back(node - 1, node);
    accesses = {};
    first = before;
  };
  for (std::size_t t = 0; t < region.tasks.size(); ++t) {
    while (wait < region.waits.size() && region.waits[wait] == t) end_at_wait(t);
    accesses.task = t;
    accesses.awaited.clear();
    if (wait > 0) accesses.awaited.insert(region.tasks.size() + wait - 1);
    add_accesses(accesses, region.tasks[t].dependences);
    for (const std::size_t from : accesses.awaited) edges.emplace_back(from, t);
  }
  while (wait < region.waits.size()) end_at_wait(region.tasks.size());
  return edges;
}

}  // namespace heddle::compiler
