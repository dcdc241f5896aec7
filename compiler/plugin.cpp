// A pass of LLVM: taskgraph regions whose tasks are known become ready-made graphs, which the runtime
// executes without a recording. The graph is made when the program is loaded. Others are recorded as before,
// and a remark says why
// (-Rpass=heddle-static-graph, -Rpass-missed=heddle-static-graph). A program that runs on another runtime
// finds none of libheddle's functions, and executes the region plainly as it always did.

#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#if __has_include(<llvm/Plugins/PassPlugin.h>)  // from LLVM 22 on
#  include <llvm/Plugins/PassPlugin.h>
#else
#  include <llvm/Passes/PassPlugin.h>
#endif
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <algorithm>
#include <tuple>

#include "compiler/region.hpp"

namespace heddle::compiler {
namespace {

constexpr char kPass[] = "heddle-static-graph";

// Where the clauses lie in heddle_taskgraph_clauses_t: captures_bytes alone may be set.
constexpr std::int64_t kCapturesAt = 16;

// Whether a region has no clause: its record is one, and never made anew.
bool has_clauses(const llvm::CallInst& begin, const llvm::DataLayout& layout) {
  const llvm::Value* const clauses = begin.getArgOperand(1);
  if (llvm::isa<llvm::ConstantPointerNull>(clauses)) return false;
  const auto* const local = llvm::dyn_cast<llvm::AllocaInst>(clauses);
  if (local == nullptr) return true;
  std::vector<const llvm::Value*> places{local};
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (const llvm::User* const user : places[i]->users()) {
      if (llvm::isa<llvm::GetElementPtrInst>(user)) places.push_back(user);
      const auto* const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (store == nullptr || store->getPointerOperand() != places[i]) continue;
      llvm::APInt offset(64, 0);
      store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
      const auto* const what = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
      if (offset.getSExtValue() != kCapturesAt && (what == nullptr || !what->isZero())) return true;
    }
  }
  return false;
}

class Maker {
 public:
  explicit Maker(llvm::Module& module)
      : module_(module),
        context_(module.getContext()),
        pointer_(llvm::PointerType::get(context_, 0)),
        word_(llvm::Type::getInt64Ty(context_)),
        byte_(llvm::Type::getInt8Ty(context_)) {}

  // A variable that will hold the graph, made before main().
  llvm::GlobalVariable* make(const StaticRegion& region) {
    const auto edges = edges_of(region);
    const std::size_t count = region.tasks.size() + region.waits.size();
    std::vector<llvm::Constant*> tasks;
    auto* const number = llvm::Type::getInt32Ty(context_);
    auto* const task_type = llvm::StructType::get(context_, {pointer_, pointer_, number});
    for (const StaticTask& task : region.tasks) {
      auto* const data = global(data_of(task), "data");
      tasks.push_back(
          llvm::ConstantStruct::get(task_type, {runner_of(task), data, llvm::ConstantInt::get(number, 0)}));
    }
    for (std::size_t i = 0; i < region.waits.size(); ++i) {
      auto* const null = llvm::ConstantPointerNull::get(pointer_);
      tasks.push_back(
          llvm::ConstantStruct::get(task_type, {nothing(), null, llvm::ConstantInt::get(number, 0)}));
    }
    std::vector<std::vector<std::uint64_t>> successors(count);
    for (const auto& [from, to] : edges) successors[from].push_back(to);
    std::vector<std::uint64_t> first{0}, all;
    for (const auto& of : successors) {
      all.insert(all.end(), of.begin(), of.end());
      first.push_back(all.size());
    }
    if (all.empty()) all.push_back(0);
    auto* const task_list =
        global(llvm::ConstantArray::get(llvm::ArrayType::get(task_type, count), tasks), "tasks");
    auto* const first_list = global(llvm::ConstantDataArray::get(context_, first), "first");
    auto* const successor_list = global(llvm::ConstantDataArray::get(context_, all), "successors");
    auto* const slot = new llvm::GlobalVariable(module_, pointer_, false, llvm::GlobalValue::InternalLinkage,
                                                llvm::ConstantPointerNull::get(pointer_), "heddle.graph");
    add_constructor(slot, count, task_list, first_list, successor_list);
    return slot;
  }

  // Executes the graph where there is one, in place of heddle_taskgraph_begin(); its answer then is 0.
  // Siblings from before the region come first, as far as they have dependences.
  void replace(llvm::CallInst& begin, llvm::GlobalVariable* slot, llvm::Value* location) {
    auto* const function = llvm::Function::Create(begin.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                                  "heddle.begin", module_);
    auto* const entry = llvm::BasicBlock::Create(context_, "", function);
    auto* const ready = llvm::BasicBlock::Create(context_, "", function);
    auto* const recorded = llvm::BasicBlock::Create(context_, "", function);
    llvm::IRBuilder<> build(entry);
    llvm::Value* const graph = build.CreateLoad(pointer_, slot);
    build.CreateCondBr(build.CreateIsNotNull(graph), ready, recorded);
    build.SetInsertPoint(ready);
    wait_for_siblings(build, llvm::cast<llvm::Constant>(location));
    build.CreateCall(weak("heddle_execute_graph", llvm::Type::getVoidTy(context_), {pointer_}), {graph});
    build.CreateRet(build.getInt32(0));
    build.SetInsertPoint(recorded);
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
    build.CreateRet(build.CreateCall(begin.getFunctionType(), begin.getCalledOperand(), arguments));
    begin.setCalledFunction(function);
  }

 private:
  // taskwait depend(inout: omp_all_memory)
  void wait_for_siblings(llvm::IRBuilder<>& build, llvm::Constant* location) {
    constexpr std::uint64_t kAllMemory = 0x80;
    auto* const number = build.getInt32Ty();
    auto* const all =
        llvm::ConstantStruct::getAnon({build.getInt64(0), build.getInt64(0), build.getInt64(kAllMemory)});
    auto* const none = llvm::ConstantPointerNull::get(pointer_);
    llvm::Value* const thread = build.CreateCall(thread_number(), {location});
    const llvm::FunctionCallee wait = module_.getOrInsertFunction(
        "__kmpc_omp_taskwait_deps_51",
        llvm::FunctionType::get(build.getVoidTy(),
                                {pointer_, number, number, pointer_, number, pointer_, number}, false));
    build.CreateCall(wait, {location, thread, build.getInt32(1), global(all, "all"), build.getInt32(0), none,
                            build.getInt32(0)});
  }

  llvm::FunctionCallee thread_number() {
    auto* const type = llvm::FunctionType::get(llvm::Type::getInt32Ty(context_), {pointer_}, false);
    return module_.getOrInsertFunction("__kmpc_global_thread_num", type);
  }

  llvm::GlobalVariable* global(llvm::Constant* value, const char* what) {
    auto* const made =
        new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value,
                                 llvm::Twine("heddle.") + what);
    made->setAlignment(llvm::Align(8));
    return made;
  }

  llvm::FunctionCallee weak(const char* name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> parameters) {
    llvm::FunctionCallee found =
        module_.getOrInsertFunction(name, llvm::FunctionType::get(result, parameters, false));
    if (auto* const function = llvm::dyn_cast<llvm::Function>(found.getCallee()); function->isDeclaration())
      function->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
    return found;
  }

  // How many of its bytes come before the first that the region writes: they are the runtime's (kmp_task_t).
  // What is left of a small task shares a cache line with that of others.
  static std::uint64_t untouched(const StaticTask& task) {
    const auto& cells = task.memory.cells();
    constexpr std::uint64_t kAligned = ~std::uint64_t{7};
    const std::uint64_t first = cells.empty() ? task.bytes : static_cast<std::uint64_t>(cells.begin()->first);
    return std::min(first, task.bytes) & kAligned;
  }

  // The task's bytes from there on, and behind them the addresses of what it shares.
  llvm::Constant* data_of(const StaticTask& task) {
    std::vector<llvm::Constant*> parts;
    std::uint64_t at = untouched(task);
    const auto fill_to = [&](std::uint64_t to) {
      if (to > at) parts.push_back(llvm::ConstantAggregateZero::get(llvm::ArrayType::get(byte_, to - at)));
      at = to;
    };
    const auto add = [&](const Memory& memory, std::uint64_t base) {
      for (const auto& [offset, cell] : memory.cells()) {
        fill_to(base + static_cast<std::uint64_t>(offset));
        parts.push_back(cell.value);
        at += cell.size;
      }
    };
    add(task.memory, 0);
    fill_to(task.bytes);
    add(task.shared, task.bytes);
    fill_to(task.bytes + task.shared_bytes);
    return llvm::ConstantStruct::getAnon(context_, parts, /*Packed=*/true);
  }

  // Executes such a task on a copy, which its body may change.
  llvm::Function* runner_of(const StaticTask& task) {
    const std::uint64_t begin = untouched(task);
    llvm::Function*& runner = runners_[{task.entry, task.bytes, task.shared_bytes, begin}];
    if (runner != nullptr) return runner;
    runner = function("heddle.run");
    llvm::IRBuilder<> build(&runner->getEntryBlock());
    const std::uint64_t size = task.bytes + task.shared_bytes;
    auto* const copy = build.CreateAlloca(llvm::ArrayType::get(byte_, size));
    copy->setAlignment(llvm::Align(16));
    build.CreateMemSet(copy, build.getInt8(0), begin, llvm::Align(16));
    build.CreateMemCpy(build.CreateConstGEP1_64(byte_, copy, begin), llvm::Align(8), runner->getArg(0),
                       llvm::Align(8), size - begin);
    if (task.shared_bytes > 0) build.CreateStore(build.CreateConstGEP1_64(byte_, copy, task.bytes), copy);
    llvm::Value* const thread =
        build.CreateCall(thread_number(), {llvm::cast<llvm::Constant>(task.location)});
    build.CreateCall(task.entry->getFunctionType(), task.entry, {thread, copy});
    build.CreateRetVoid();
    return runner;
  }

  llvm::Function* nothing() {
    if (nothing_ == nullptr) {
      nothing_ = function("heddle.wait");
      llvm::IRBuilder<>(&nothing_->getEntryBlock()).CreateRetVoid();
    }
    return nothing_;
  }

  llvm::Function* function(const char* name) {
    auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), {pointer_}, false);
    auto* const made = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module_);
    made->setDoesNotThrow();
    llvm::BasicBlock::Create(context_, "", made);
    return made;
  }

  void add_constructor(llvm::GlobalVariable* slot, std::size_t count, llvm::Constant* tasks,
                       llvm::Constant* first, llvm::Constant* successors) {
    auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(context_), false);
    auto* const made =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "heddle.make", module_);
    auto* const entry = llvm::BasicBlock::Create(context_, "", made);
    auto* const there = llvm::BasicBlock::Create(context_, "", made);
    auto* const end = llvm::BasicBlock::Create(context_, "", made);
    llvm::FunctionCallee maker = weak("heddle_make_graph", pointer_, {word_, pointer_, pointer_, pointer_});
    llvm::IRBuilder<> build(entry);
    build.CreateCondBr(build.CreateIsNotNull(maker.getCallee()), there, end);
    build.SetInsertPoint(there);
    build.CreateStore(build.CreateCall(maker, {build.getInt64(count), tasks, first, successors}), slot);
    build.CreateBr(end);
    build.SetInsertPoint(end);
    build.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, made, 65535);
  }

  llvm::Module& module_;
  llvm::LLVMContext& context_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* word_;
  llvm::IntegerType* byte_;
  std::map<std::tuple<llvm::Function*, std::uint64_t, std::uint64_t, std::uint64_t>, llvm::Function*>
      runners_;
  llvm::Function* nothing_ = nullptr;
};

// Where the region stands, and not heddle.h's function that calls the runtime.
llvm::DiagnosticLocation place_of(const llvm::CallInst& call) {
  const llvm::DILocation* at = call.getDebugLoc().get();
  while (at != nullptr && at->getInlinedAt() != nullptr) at = at->getInlinedAt();
  return llvm::DiagnosticLocation(llvm::DebugLoc(at));
}

struct StaticGraphs : llvm::PassInfoMixin<StaticGraphs> {
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    llvm::Function* const begin = module.getFunction("heddle_taskgraph_begin");
    if (begin == nullptr) return llvm::PreservedAnalyses::all();
    std::vector<llvm::CallInst*> calls;
    for (llvm::User* const user : begin->users())
      if (auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
          call != nullptr && call->getCalledFunction() == begin)
        calls.push_back(call);
    auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    Maker maker(module);
    bool has_changed = false;
    for (llvm::CallInst* const call : calls) {
      auto& remarks = functions.getResult<llvm::OptimizationRemarkEmitterAnalysis>(*call->getFunction());
      StaticRegion region;
      std::string why;
      if (has_clauses(*call, module.getDataLayout())) {
        why = "it has a clause";
      } else if (execute_region(*call, region, why)) {
        maker.replace(*call, maker.make(region), region.tasks.front().location);
        has_changed = true;
        remarks.emit([&] {
          return llvm::OptimizationRemark(kPass, "StaticGraph", place_of(*call), call->getParent())
                 << "taskgraph: " << llvm::ore::NV("Tasks", static_cast<unsigned>(region.tasks.size()))
                 << " tasks are known, its graph is made when the program is loaded";
        });
        continue;
      }
      remarks.emit([&] {
        return llvm::OptimizationRemarkMissed(kPass, "Recorded", place_of(*call), call->getParent())
               << "taskgraph: recorded when it is executed first: " << llvm::ore::NV("Why", why);
      });
    }
    return has_changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};

}  // namespace
}  // namespace heddle::compiler

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-static-graph", "1", [](llvm::PassBuilder& builder) {
            // Without optimisation loops are not in order, and what a region calls is not in it.
            builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes,
                                                       llvm::OptimizationLevel level,
                                                       auto...) {  // LLVM 20: the phase
              if (level != llvm::OptimizationLevel::O0) passes.addPass(heddle::compiler::StaticGraphs());
            });
          }};
}
