#include "tracer/mpi/calls.hpp"

#include <dlfcn.h>
#include <link.h>

#include "tracer/event_file.hpp"

namespace heddle::tracer {

std::atomic<bool> g_is_recording{false};

namespace {

// The layer's code. Written before g_is_recording is.
std::uintptr_t g_layer_begin = 0;
std::uintptr_t g_layer_end = 0;

std::uintptr_t address(const void* code) {
  return reinterpret_cast<std::uintptr_t>(code);
}

const void* library_of(const void* code) {
  Dl_info info{};
  return dladdr(code, &info) != 0 ? info.dli_fbase : nullptr;
}

// Sets the layer's bounds where `code` lies in this library.
int take_bounds(dl_phdr_info* library, std::size_t, void* code) {
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const std::uintptr_t at = library->dlpi_addr + part.p_vaddr;
    if (at < begin) begin = at;
    if (at + part.p_memsz > end) end = at + part.p_memsz;
  }
  if (address(code) < begin || address(code) >= end) return 0;
  g_layer_begin = begin;
  g_layer_end = end;
  return 1;
}

bool is_the_layers(const void* caller) {
  return address(caller) >= g_layer_begin && address(caller) < g_layer_end;
}

bool is_recording() {
  // acquire: pairs with the release in MPI_Init()
  return g_is_recording.load(std::memory_order_acquire);
}

}  // namespace

void* next_definition(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

void find_layer() {
  void* const next = next_definition("MPI_Irecv");
  if (next == nullptr || library_of(next) == library_of(reinterpret_cast<const void*>(PMPI_Irecv))) return;
  dl_iterate_phdr(take_bounds, next);
}

std::uint64_t FunctionName::number() {
  // relaxed: whoever looks finds the same
  std::uint64_t number = number_.load(std::memory_order_relaxed);
  if (number != 0) [[likely]]
    return number;
  number = number_of_name(name_);
  number_.store(number, std::memory_order_relaxed);
  return number;
}

Call::Call(FunctionName& name, const void* caller) : sees_completions_(is_recording()) {
  if (!sees_completions_ || is_the_layers(caller)) return;
  number_ = name.number();
  record(Kind::mpi_begin, 0, 0, number_, 0);
}

Call::~Call() {
  if (number_ != 0) record(Kind::mpi_end, 0, 0, number_, 0);
}

Poll::Poll(FunctionName& name, const void* caller)
    : name_(name),
      sees_completions_(is_recording()),
      is_programs_(sees_completions_ && !is_the_layers(caller)) {
  if (is_programs_) began_ = ticks();
}

Poll::~Poll() {
  if (number_ != 0) record(Kind::mpi_end, 0, 0, number_, 0);
}

void Poll::found_something() {
  if (!is_programs_) return;
  number_ = name_.number();
  record(Kind::mpi_begin, 0, 0, number_, 0, began_);
}

}  // namespace heddle::tracer
