#include "compiler/region.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace heddle::compiler {
namespace {

using llvm::Value;

constexpr std::size_t kMostTasks = 1 << 16;
constexpr std::size_t kMostSteps = 1 << 24;
// kmp_depend_info: base_addr, len, flags.
constexpr std::int64_t kDependBytes = 24, kFlagsAt = 16;
constexpr std::int64_t kIn = 1, kOut = 2;
// kmp_tasking_flags: a tied or untied task, and nothing else.
constexpr std::int64_t kPlainFlags = 1;

struct Refusal {
  std::string why;
};

[[noreturn]] void refuse(std::string why) {
  throw Refusal{std::move(why)};
}

Known number(std::int64_t value) {
  return {Known::Kind::kNumber, nullptr, 0, value};
}

std::string name_of(const llvm::Function* function) {
  return function != nullptr ? "a call of " + function->getName().str() : "an indirect call";
}

std::int64_t sign_extended(std::uint64_t value, unsigned bits) {
  if (bits >= 64) return static_cast<std::int64_t>(value);
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1), mask = (std::uint64_t{1} << bits) - 1;
  return static_cast<std::int64_t>(((value & mask) ^ sign) - sign);
}

std::uint64_t zero_extended(std::int64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<std::uint64_t>(value)
                    : static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
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
const Value* condition_of(const llvm::Instruction* one) {
#if LLVM_VERSION_MAJOR >= 23
  const auto* branch = llvm::dyn_cast<llvm::CondBrInst>(one);
  return branch != nullptr ? branch->getCondition() : nullptr;
#else
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(one);
  return branch != nullptr && branch->isConditional() ? branch->getCondition() : nullptr;
#endif
}

class Execution {
 public:
  Execution(llvm::CallInst& begin, StaticRegion& region)
      : region_(region), layout_(begin.getModule()->getDataLayout()) {
    values_[&begin] = number(1);
    at_ = begin.getNextNode();
  }

  void run() {
    for (std::size_t steps = 0; !is_over_; ++steps) {
      if (steps > kMostSteps) refuse("its code takes too long to execute here");
      step();
    }
  }

 private:
  unsigned bits(const llvm::Type* type) const {
    if (type->isPointerTy()) return 64;
    if (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)
      refuse("a value that is no integer and no address");
    return type->getIntegerBitWidth();
  }

  std::uint64_t bytes(llvm::Type* type) const {
    bits(type);
    return layout_.getTypeStoreSize(type).getFixedValue();
  }

  // Of anything: what was computed in the region, what is constant, and what was computed before of those.
  Known value(const Value* v) {
    if (const auto found = values_.find(v); found != values_.end()) return found->second;
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(v)) {
      if (integer->getBitWidth() > 64) return {};
      return number(integer->getSExtValue());
    }
    if (llvm::isa<llvm::ConstantPointerNull>(v)) return number(0);
    if (llvm::isa<llvm::GlobalValue>(v)) return {Known::Kind::kGlobal, v, 0, 0};
    if (llvm::isa<llvm::AllocaInst>(v)) return {Known::Kind::kLocal, v, 0, 0};
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(v))
      return operation(llvm::cast<llvm::Operator>(expression));
    if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(v)) {
      if (llvm::isa<llvm::PHINode>(v) || llvm::isa<llvm::CallBase>(v) || instruction->mayReadOrWriteMemory())
        return {};
      return operation(llvm::cast<llvm::Operator>(instruction));
    }
    return {};
  }

  Known needed(const Value* v, const char* what) {
    const Known known = value(v);
    if (known.kind == Known::Kind::kUnknown) refuse(what);
    return known;
  }

  Known binary(unsigned opcode, Known a, Known b, unsigned width) {
    if (a.is_place() && b.is_number() &&
        (opcode == llvm::Instruction::Add || opcode == llvm::Instruction::Sub)) {
      a.number += opcode == llvm::Instruction::Add ? b.number : -b.number;
      return a;
    }
    if (b.is_place() && a.is_number() && opcode == llvm::Instruction::Add) {
      b.number += a.number;
      return b;
    }
    if (opcode == llvm::Instruction::Sub && a.is_place() && a.is_same_base(b))
      return number(a.number - b.number);
    if (!a.is_number() || !b.is_number()) return {};
    const std::uint64_t x = zero_extended(a.number, width), y = zero_extended(b.number, width);
    const auto result = [&]() -> std::optional<std::uint64_t> {
      switch (opcode) {
        case llvm::Instruction::Add:
          return x + y;
        case llvm::Instruction::Sub:
          return x - y;
        case llvm::Instruction::Mul:
          return x * y;
        case llvm::Instruction::And:
          return x & y;
        case llvm::Instruction::Or:
          return x | y;
        case llvm::Instruction::Xor:
          return x ^ y;
        case llvm::Instruction::Shl:
          return y < width ? std::optional(x << y) : std::nullopt;
        case llvm::Instruction::LShr:
          return y < width ? std::optional(x >> y) : std::nullopt;
        case llvm::Instruction::AShr:
          return y < width ? std::optional(static_cast<std::uint64_t>(sign_extended(x, width) >> y))
                           : std::nullopt;
        case llvm::Instruction::UDiv:
          return y != 0 ? std::optional(x / y) : std::nullopt;
        case llvm::Instruction::URem:
          return y != 0 ? std::optional(x % y) : std::nullopt;
        case llvm::Instruction::SDiv:
        case llvm::Instruction::SRem: {
          const std::int64_t p = sign_extended(x, width), q = sign_extended(y, width);
          if (q == 0 || (q == -1 && p == INT64_MIN)) return std::nullopt;
          return static_cast<std::uint64_t>(opcode == llvm::Instruction::SDiv ? p / q : p % q);
        }
        default:
          return std::nullopt;
      }
    }();
    return result ? number(sign_extended(*result, width)) : Known{};
  }

  Known compared(llvm::CmpInst::Predicate predicate, Known a, Known b, unsigned width) {
    using P = llvm::CmpInst::Predicate;
    // No variable is at address 0, as far as it is there: and the region runs on a runtime that has what it
    // calls.
    const auto is_null = [](const Known& known) { return known.is_number() && known.number == 0; };
    if ((a.is_place() && is_null(b)) || (b.is_place() && is_null(a))) {
      if (predicate == P::ICMP_EQ) return number(0);
      if (predicate == P::ICMP_NE) return number(-1);
      return {};
    }
    if (!(a.is_number() && b.is_number()) && !(a.is_place() && a.is_same_base(b))) return {};
    const std::uint64_t x = zero_extended(a.number, width), y = zero_extended(b.number, width);
    const std::int64_t p = sign_extended(x, width), q = sign_extended(y, width);
    bool holds = false;
    switch (predicate) {
      case P::ICMP_EQ:
        holds = x == y;
        break;
      case P::ICMP_NE:
        holds = x != y;
        break;
      case P::ICMP_UGT:
        holds = x > y;
        break;
      case P::ICMP_UGE:
        holds = x >= y;
        break;
      case P::ICMP_ULT:
        holds = x < y;
        break;
      case P::ICMP_ULE:
        holds = x <= y;
        break;
      case P::ICMP_SGT:
        holds = p > q;
        break;
      case P::ICMP_SGE:
        holds = p >= q;
        break;
      case P::ICMP_SLT:
        holds = p < q;
        break;
      case P::ICMP_SLE:
        holds = p <= q;
        break;
      default:
        return {};
    }
    return number(holds ? -1 : 0);  // one bit, its sign
  }

  Known address(const llvm::GEPOperator& gep) {
    Known place = value(gep.getPointerOperand());
    if (place.kind == Known::Kind::kUnknown) return {};
    for (auto part = llvm::gep_type_begin(gep); part != llvm::gep_type_end(gep); ++part) {
      const Known index = value(part.getOperand());
      if (!index.is_number()) return {};
      if (llvm::StructType* const structure = part.getStructTypeOrNull()) {
        place.number += static_cast<std::int64_t>(
            layout_.getStructLayout(structure)->getElementOffset(static_cast<unsigned>(index.number)));
      } else {
        place.number += index.number *
                        static_cast<std::int64_t>(part.getSequentialElementStride(layout_).getFixedValue());
      }
    }
    return place;
  }

  // What reads and writes no memory.
  Known operation(const llvm::Operator* op) {
    if (const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(op)) return address(*gep);
    const unsigned opcode = op->getOpcode();
    const Known first = op->getNumOperands() > 0 ? value(op->getOperand(0)) : Known{};
    switch (opcode) {
      case llvm::Instruction::BitCast:
      case llvm::Instruction::PtrToInt:
      case llvm::Instruction::IntToPtr:
      case llvm::Instruction::Freeze:
      case llvm::Instruction::SExt:
        return first;
      case llvm::Instruction::ZExt:
        return first.is_number() ? number(static_cast<std::int64_t>(
                                       zero_extended(first.number, bits(op->getOperand(0)->getType()))))
                                 : Known{};
      case llvm::Instruction::Trunc:
        return first.is_number()
                   ? number(sign_extended(static_cast<std::uint64_t>(first.number), bits(op->getType())))
                   : Known{};
      case llvm::Instruction::Select: {
        if (!first.is_number()) return {};
        return value(op->getOperand(first.number != 0 ? 1 : 2));
      }
      case llvm::Instruction::ICmp:
        return compared(llvm::cast<llvm::CmpInst>(op)->getPredicate(), first, value(op->getOperand(1)),
                        bits(op->getOperand(0)->getType()));
      default:
        if (!llvm::Instruction::isBinaryOp(opcode) || !op->getType()->isIntegerTy()) return {};
        return binary(opcode, first, value(op->getOperand(1)), bits(op->getType()));
    }
  }

  Memory& memory_at(const Known& place, const char* what) {
    switch (place.kind) {
      case Known::Kind::kLocal:
        return locals_[place.base];
      case Known::Kind::kTask:
        return region_.tasks[place.task].memory;
      case Known::Kind::kShared:
        return region_.tasks[place.task].shared;
      default:
        refuse(what);
    }
  }

  Known loaded(const llvm::LoadInst& load) {
    const Known place = value(load.getPointerOperand());
    if (place.kind == Known::Kind::kTask && place.number == 0)
      return {Known::Kind::kShared, nullptr, place.task, 0};
    if (place.kind == Known::Kind::kGlobal) {
      auto* const global = llvm::dyn_cast<llvm::GlobalVariable>(const_cast<Value*>(place.base));
      if (global == nullptr || !global->isConstant() || !global->hasDefinitiveInitializer())
        refuse("its code reads a variable, which others may change");
      llvm::Constant* const found =
          llvm::ConstantFoldLoadFromConst(global->getInitializer(), load.getType(),
                                          llvm::APInt(64, static_cast<std::uint64_t>(place.number)), layout_);
      return found != nullptr ? value(found) : Known{};
    }
    if (!place.is_place()) return {};  // the thread's number, for example: what needs it says so
    return memory_at(place, "its code reads memory").load(place.number, bytes(load.getType()));
  }

  void store(const llvm::StoreInst& store) {
    const Known place = needed(store.getPointerOperand(), "its code writes where only a run knows");
    memory_at(place, "its code writes a variable, outside of tasks")
        .store(place.number, bytes(store.getValueOperand()->getType()), value(store.getValueOperand()));
  }

  void create(const llvm::CallInst& call) {
    const Known flags = value(call.getArgOperand(2)), size = value(call.getArgOperand(3)),
                shared = value(call.getArgOperand(4));
    if (!flags.is_number() || !size.is_number() || !shared.is_number())
      refuse("what a task is depends on the run");
    if ((flags.number & ~kPlainFlags) != 0) refuse("a task has a clause that graphs made here do not know");
    if (region_.tasks.size() == kMostTasks) refuse("it has too many tasks for a graph that is made here");
    StaticTask task;
    task.entry = llvm::dyn_cast<llvm::Function>(call.getArgOperand(5)->stripPointerCasts());
    if (task.entry == nullptr) refuse("the body of a task is not known");
    task.location = call.getArgOperand(0);
    task.bytes = static_cast<std::uint64_t>(size.number);
    task.shared_bytes = static_cast<std::uint64_t>(shared.number);
    values_[&call] = {Known::Kind::kTask, nullptr, region_.tasks.size(), 0};
    region_.tasks.push_back(std::move(task));
  }

  void submit(const llvm::CallInst& call, bool has_dependences) {
    const Known of = value(call.getArgOperand(2));
    if (of.kind != Known::Kind::kTask || of.task != submitted_)
      refuse("tasks are created in another order than begun");
    ++submitted_;
    if (!has_dependences) return;
    const Known count = value(call.getArgOperand(3)), list = value(call.getArgOperand(4)),
                others = value(call.getArgOperand(5));
    if (!count.is_number() || !others.is_number() || others.number != 0 || list.kind != Known::Kind::kLocal)
      refuse("how many dependences a task has depends on the run");
    StaticTask& task = region_.tasks[of.task];
    const Memory& memory = locals_[list.base];
    for (std::int64_t i = 0; i < count.number; ++i) {
      const std::int64_t at = list.number + i * kDependBytes;
      const Known place = memory.load(at, 8), flags = memory.load(at + kFlagsAt, 1);
      if (place.kind == Known::Kind::kLocal) refuse("a dependence names a local variable");
      if (place.kind != Known::Kind::kGlobal) refuse("a dependence names an address that only a run knows");
      if (!flags.is_number() || (flags.number & ~(kIn | kOut)) != 0 || flags.number == 0)
        refuse("a dependence is neither in, out nor inout");
      task.dependences.push_back(
          {place.base, place.number, (flags.number & kOut) != 0 ? Access::kOut : Access::kIn});
    }
  }

  void called(const llvm::CallInst& call) {
    if (call.isInlineAsm()) {
      // heddle.h's number of which compilers know nothing.
      if (call.arg_size() != 1 || call.getType()->isVoidTy()) refuse("inline assembly");
      values_[&call] = value(call.getArgOperand(0));
      return;
    }
    const llvm::Function* const function = call.getCalledFunction();
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
      values_[&call] = {};
    } else if (const auto* minimum = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&call)) {
      const unsigned width = bits(call.getType());
      const Known a = needed(minimum->getLHS(), "a bound depends on the run"),
                  b = needed(minimum->getRHS(), "a bound depends on the run");
      values_[&call] = compared(minimum->getPredicate(), a, b, width).number != 0 ? a : b;
    } else if (const auto* set = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
      const Known place = value(set->getDest()), length = value(set->getLength()),
                  what = value(set->getValue());
      if (!length.is_number() || !what.is_number() || what.number != 0)
        refuse("memory is filled with more than zeros");
      memory_at(place, "its code writes a variable, outside of tasks")
          .clear(place.number, static_cast<std::uint64_t>(length.number));
    } else if (!call.isLifetimeStartOrEnd() && !call.isDebugOrPseudoInst() &&
               !llvm::isa<llvm::AssumeInst>(call) &&
               (function == nullptr || function->getIntrinsicID() != llvm::Intrinsic::frameaddress)) {
      refuse(name_of(function) + ", outside of tasks");
    }
  }

  void go_to(const llvm::BasicBlock* next) {
    // All at once: one may be another's operand.
    std::vector<std::pair<const Value*, Known>> incoming;
    for (const llvm::PHINode& phi : next->phis())
      incoming.emplace_back(&phi, value(phi.getIncomingValueForBlock(at_->getParent())));
    for (const auto& [phi, known] : incoming) values_[phi] = known;
    at_ = &*next->getFirstNonPHIIt();
  }

  void step() {
    const llvm::Instruction* const now = at_;
    if (is_jump(now)) return go_to(now->getSuccessor(0));
    if (const Value* choice = condition_of(now)) {
      const Known condition = value(choice);
      if (!condition.is_number())
        refuse("which tasks there are depends on a condition that only a run knows");
      return go_to(now->getSuccessor(condition.number != 0 ? 0 : 1));
    }
    if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(now)) {
      const Known condition = value(choice->getCondition());
      if (!condition.is_number())
        refuse("which tasks there are depends on a condition that only a run knows");
      for (const auto& choice_case : choice->cases())
        if (choice_case.getCaseValue()->getSExtValue() == condition.number)
          return go_to(choice_case.getCaseSuccessor());
      return go_to(choice->getDefaultDest());
    }
    if (now->isTerminator()) refuse("it is left in the middle");
    at_ = now->getNextNode();
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(now)) return called(*call);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(now)) {
      values_[now] = loaded(*load);
    } else if (const auto* stored = llvm::dyn_cast<llvm::StoreInst>(now)) {
      store(*stored);
    } else if (!llvm::isa<llvm::AllocaInst>(now)) {
      if (now->mayReadOrWriteMemory()) refuse("its code does more to memory than to read and to write it");
      values_[now] = operation(llvm::cast<llvm::Operator>(now));
    }
  }

  StaticRegion& region_;
  const llvm::DataLayout& layout_;
  const llvm::Instruction* at_;
  bool is_over_ = false;
  std::size_t submitted_ = 0;
  std::map<const Value*, Known> values_;
  std::map<const Value*, Memory> locals_;
};

void check_data(const StaticRegion& region) {
  for (const StaticTask& task : region.tasks) {
    for (const Memory* const memory : {&task.memory, &task.shared}) {
      for (const auto& [at, cell] : memory->cells()) {
        switch (cell.value.kind) {
          case Known::Kind::kNumber:
          case Known::Kind::kGlobal:
            break;
          case Known::Kind::kLocal:
            refuse("a task shares a local variable");
          default:
            refuse("a task is given what only a run knows");
        }
        if (cell.value.kind == Known::Kind::kGlobal && cell.size != 8)
          refuse("a task is given a part of an address");
      }
    }
  }
}

}  // namespace

void Memory::store(std::int64_t at, std::uint64_t size, Known value) {
  clear(at, size);
  cells_[at] = {size, value};
}

Known Memory::load(std::int64_t at, std::uint64_t size) const {
  const auto found = cells_.find(at);
  return found != cells_.end() && found->second.size == size ? found->second.value : Known{};
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
    if (region.tasks.empty()) refuse("it creates no tasks");
    check_data(region);
    return true;
  } catch (const Refusal& refusal) {
    why = refusal.why;
    return false;
  }
}

std::vector<std::pair<std::size_t, std::size_t>> edges_of(const StaticRegion& region) {
  struct Uses {
    std::optional<std::size_t> writer;
    std::vector<std::size_t> readers;  // since
  };
  std::map<std::pair<const llvm::Value*, std::int64_t>, Uses> uses;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::size_t first = 0, wait = 0;  // since the last wait
  const auto end_at_wait = [&](std::size_t before) {
    const std::size_t node = region.tasks.size() + wait++;
    for (std::size_t task = first; task < before; ++task) edges.emplace_back(task, node);
    if (first == before && wait > 1) edges.emplace_back(node - 1, node);
    uses.clear();
    first = before;
  };
  for (std::size_t t = 0; t < region.tasks.size(); ++t) {
    while (wait < region.waits.size() && region.waits[wait] == t) end_at_wait(t);
    std::set<std::size_t> before;
    if (wait > 0) before.insert(region.tasks.size() + wait - 1);
    for (const DependenceOn& dependence : region.tasks[t].dependences) {
      const Uses& of = uses[{dependence.base, dependence.offset}];
      if (dependence.access == Access::kOut && !of.readers.empty())
        before.insert(of.readers.begin(), of.readers.end());
      else if (of.writer)
        before.insert(*of.writer);
    }
    // Two dependences on one address are one, the stronger.
    for (const DependenceOn& dependence : region.tasks[t].dependences) {
      Uses& of = uses[{dependence.base, dependence.offset}];
      if (dependence.access == Access::kOut) {
        of.writer = t;
        of.readers.clear();
      } else if (of.writer != t && (of.readers.empty() || of.readers.back() != t)) {
        of.readers.push_back(t);
      }
    }
    before.erase(t);
    for (const std::size_t from : before) edges.emplace_back(from, t);
  }
  while (wait < region.waits.size()) end_at_wait(region.tasks.size());
  return edges;
}

}  // namespace heddle::compiler
