// target, target data, target update, target enter and exit data: GCC's entry points. Data is where the
// program put it, so mapping does nothing; a region is a call, with the firstprivate variables copied.
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

#include "abi/empty_task.hpp"
#include "abi/gomp/gomp.hpp"
#include "abi/gomp/task.hpp"
#include "abi/host_device.hpp"
#include "region/fork_join.hpp"
#include "tasking/create.hpp"
#include "tasking/wait.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

using namespace heddle;
using namespace heddle::gomp;

namespace {

enum TargetFlag : unsigned { kNoWait = 1 };

// Device numbers of this ABI: default-device-var, and if(false) or omp_initial_device.
constexpr int kDefaultDeviceOfGcc = -1;
constexpr int kHostFallback = -2;

// Kind of a mapped item: what to do in the lower byte, binary logarithm of the alignment in the upper.
constexpr unsigned kFirstPrivate = 12;    // the item is copied; smaller ones travel in its address instead
constexpr unsigned kAttach = 0x50;        // a pointer in an item becomes the address of the item before
constexpr unsigned kAlwaysToFrom = 0x13;  // also what in_reduction makes of a variable

// Words of the `arguments` array: bits 0-6 for which device, 7 the value is the next word, 8-15 the identity,
// value from 16 on. A zero word ends it.
constexpr std::uintptr_t kValueFollows = 1u << 7;
constexpr std::uintptr_t kIdentityMask = 0xff00;
constexpr std::uintptr_t kThreadLimit = 2u << 8;

struct Maps {
  std::size_t count;
  void** addresses;
  const std::size_t* sizes;
  const unsigned short* kinds;

  unsigned kind(std::size_t i) const { return kinds[i] & 0xffu; }
  std::size_t alignment(std::size_t i) const { return std::size_t{1} << (kinds[i] >> 8); }
};

struct Region {
  Function fn;
  void** addresses;
  int thread_limit;

  void run() const { run_as_initial_thread(fn, addresses, thread_limit); }
};

void check_device(int device) {
  if (device == kHostFallback) return;
  require_available(device == kDefaultDeviceOfGcc ? heddle::kDefaultDevice : device);
}

int thread_limit_of(void** arguments) {
  if (arguments == nullptr) return 0;
  for (; *arguments != nullptr; ++arguments) {
    const auto word = reinterpret_cast<std::uintptr_t>(*arguments);
    const bool follows = (word & kValueFollows) != 0;
    if (follows) ++arguments;
    if ((word & kIdentityMask) != kThreadLimit) continue;
    const std::uintptr_t value = follows ? reinterpret_cast<std::uintptr_t>(*arguments) : word >> 16;
    return value > INT32_MAX ? INT32_MAX : static_cast<int>(value);
  }
  return 0;
}

/// Bytes that capture() needs: the addresses, and what is firstprivate with room to align it.
std::size_t captured_bytes(const Maps& maps) {
  std::size_t bytes = maps.count * sizeof(void*);
  for (std::size_t i = 0; i < maps.count; ++i)
    if (maps.kind(i) == kFirstPrivate) bytes += maps.sizes[i] + maps.alignment(i) - 1;
  return bytes;
}

/// Where the pointer is that item i, an attachment, changes: so many pointers into an item whose own address
/// the attachment's points to. That is where the program has it, among maps.addresses, and we have it in
/// `copies`.
void** attached_pointer(const Maps& maps, std::size_t i, void** copies) {
  auto** const place = static_cast<void**>(maps.addresses[i]);
  const std::less<void**> is_before;
  const bool is_item = !is_before(place, maps.addresses) && is_before(place, maps.addresses + maps.count);
  auto** const item = static_cast<void**>(is_item ? copies[place - maps.addresses] : *place);
  return item + maps.sizes[i];
}

/// Copies addresses and firstprivate items into `block` and returns the addresses there.
void** capture(const Maps& maps, void* block) {
  auto** const addresses = static_cast<void**>(block);
  auto next = reinterpret_cast<std::uintptr_t>(addresses + maps.count);
  for (std::size_t i = 0; i < maps.count; ++i) {
    addresses[i] = maps.addresses[i];
    if (maps.kind(i) != kFirstPrivate || addresses[i] == nullptr) continue;  // null: an absent argument
    const std::size_t alignment = maps.alignment(i);
    next = (next + alignment - 1) & ~(alignment - 1);
    addresses[i] = reinterpret_cast<void*>(next);
    if (maps.sizes[i] > 0) std::memcpy(addresses[i], maps.addresses[i], maps.sizes[i]);
    next += maps.sizes[i];
    // An allocatable of Fortran: its descriptor, then what it points to.
    if (i + 1 < maps.count && maps.kind(i + 1) == kAttach)
      *attached_pointer(maps, i + 1, addresses) = addresses[i];
  }
  return addresses;
}

bool has_kind(const Maps& maps, unsigned kind) {
  for (std::size_t i = 0; i < maps.count; ++i)
    if (maps.kind(i) == kind) return true;
  return false;
}

void submit_region(Member& me, const Region& region, const Maps& maps,
                   std::span<const Dependence> dependences) {
  Task& task =
      new_task(me, sizeof(Region) + captured_bytes(maps), 0, reinterpret_cast<const void*>(region.fn));
  auto* const copy = new (task.payload()) Region(region);
  copy->addresses = capture(maps, copy + 1);
  task.body = [](Task& self) { static_cast<Region*>(self.payload())->run(); };
  observe(&Observer::task_created, task, {{}, dependences});
  submit(me, task, dependences);
}

void run_region_now(Member& me, Region region, const Maps& maps, std::span<const Dependence> dependences) {
  // The copies are made before the wait: they have the values of when the construct was met.
  std::unique_ptr<char[]> block;
  if (has_kind(maps, kFirstPrivate)) {
    block.reset(new char[captured_bytes(maps)]);
    region.addresses = capture(maps, block.get());
  }
  if (!dependences.empty()) taskwait_depend(me, dependences);
  region.run();
}

// Data movement has no work to do, but its place among the tasks is kept.
void keep_order(int device, unsigned flags, void** depend, CallSite where) {
  check_device(device);
  if (depend == nullptr) return;
  Member& me = this_member();
  DependenceList dependences;
  read_dependences(depend, dependences);
  if ((flags & kNoWait) == 0 || me.context.task->is_final()) {
    taskwait_depend(me, dependences.span());
    return;
  }
  submit_empty_task(me, dependences.span(), where);
}

}  // namespace

HEDDLE_EXPORT void GOMP_target_ext(int device, Function fn, std::size_t count, void** addresses,
                                   std::size_t* sizes, unsigned short* kinds, unsigned flags, void** depend,
                                   void** arguments) {
  check_device(device);
  Member& me = this_member();
  const Maps maps{count, addresses, sizes, kinds};
  const Region region{fn, addresses, thread_limit_of(arguments)};
  DependenceList dependences;
  read_dependences(depend, dependences);
  // GCC asks for the thread's copy of an in_reduction variable before it calls us: the region must run here.
  if ((flags & kNoWait) == 0 || me.context.task->is_final() || has_kind(maps, kAlwaysToFrom))
    run_region_now(me, region, maps, dependences.span());
  else
    submit_region(me, region, maps, dependences.span());
}

// Before GCC 5: no clause that matters on the host.
HEDDLE_EXPORT void GOMP_target(int device, Function fn, const void*, std::size_t, void** addresses,
                               std::size_t*, unsigned char*) {
  check_device(device);
  run_as_initial_thread(fn, addresses, 0);
}

HEDDLE_EXPORT void GOMP_target_data(int device, const void*, std::size_t, void**, std::size_t*,
                                    unsigned char*) {
  check_device(device);
}
// Addresses for use_device_ptr and use_device_addr are the host's, which the array holds already.
HEDDLE_EXPORT void GOMP_target_data_ext(int device, std::size_t, void**, std::size_t*, unsigned short*) {
  check_device(device);
}
HEDDLE_EXPORT void GOMP_target_end_data() {}

HEDDLE_EXPORT void GOMP_target_update(int device, const void*, std::size_t, void**, std::size_t*,
                                      unsigned char*) {
  check_device(device);
}
HEDDLE_EXPORT void GOMP_target_update_ext(int device, std::size_t, void**, std::size_t*, unsigned short*,
                                          unsigned flags, void** depend) {
  keep_order(device, flags, depend, HEDDLE_CALL_SITE());
}
HEDDLE_EXPORT void GOMP_target_enter_exit_data(int device, std::size_t, void**, std::size_t*, unsigned short*,
                                               unsigned flags, void** depend) {
  keep_order(device, flags, depend, HEDDLE_CALL_SITE());
}

// A function's address on the host is what a program on the host calls (OpenMP 5.1: declare target indirect).
HEDDLE_EXPORT void* GOMP_target_map_indirect_ptr(void* function) {
  return function;
}

// The interop construct, from GCC 15 on. No foreign runtime is here, so each object that it makes is
// omp_interop_none, and there is nothing to synchronise with when one is used or destroyed.
HEDDLE_EXPORT void GOMP_interop(int device, int to_init, void*** init, const void* /*target_targetsync*/,
                                const void* /*prefer_type*/, int /*to_use*/, void** /*use*/, int to_destroy,
                                void*** destroy, unsigned flags, void** depend) {
  require_available(device);
  keep_order(kHostFallback, flags, depend, HEDDLE_CALL_SITE());
  for (int i = 0; i < to_init; ++i) *init[i] = nullptr;
  for (int i = 0; i < to_destroy; ++i) *destroy[i] = nullptr;
}

// Constructors of a program that carries code for devices announce it here. No device will ask for it.
HEDDLE_EXPORT void GOMP_offload_register(const void*, int, const void*) {}
HEDDLE_EXPORT void GOMP_offload_unregister(const void*, int, const void*) {}
HEDDLE_EXPORT void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
HEDDLE_EXPORT void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
