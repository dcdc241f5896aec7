// Device memory: OpenMP 5.2, section 18.8, on a machine whose only device is the host. Memory of a device is
// memory; what asks for another device fails as the section says.
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "abi/gomp/task.hpp"
#include "abi/host_device.hpp"
#include "abi/kmpc/task.hpp"
#include "abi/omp/export.hpp"
#include "sys/loaded_objects.hpp"
#include "tasking/create.hpp"
#include "trace/observer.hpp"

using namespace heddle;

namespace {

struct Copy {
  char* to;
  const char* from;
  std::size_t bytes;
};

// A box of `volume` elements inside two arrays; all lists have `dimensions` members, slowest first.
struct Box {
  char* to;
  const char* from;
  std::size_t element_bytes;
  int dimensions;
  const std::size_t* volume;
  const std::size_t* to_offsets;
  const std::size_t* from_offsets;
  const std::size_t* to_extents;
  const std::size_t* from_extents;
};

bool are_host(int to_device, int from_device) {
  require_available(to_device);
  require_available(from_device);
  return is_host(to_device) && is_host(from_device);
}

std::size_t bytes_below(const Box& box, const std::size_t* extents, int dimension) {
  std::size_t bytes = box.element_bytes;
  for (int d = dimension + 1; d < box.dimensions; ++d) bytes *= extents[d];
  return bytes;
}

void copy_box(const Box& box, char* to, const char* from, int d) {
  const std::size_t to_step = bytes_below(box, box.to_extents, d);
  const std::size_t from_step = bytes_below(box, box.from_extents, d);
  to += box.to_offsets[d] * to_step;
  from += box.from_offsets[d] * from_step;
  if (d + 1 == box.dimensions) {
    std::memmove(to, from, box.volume[d] * box.element_bytes);
    return;
  }
  for (std::size_t i = 0; i < box.volume[d]; ++i)
    copy_box(box, to + i * to_step, from + i * from_step, d + 1);
}

bool is_valid(const Box& box) {
  return box.to != nullptr && box.from != nullptr && box.element_bytes > 0 && box.dimensions > 0;
}

// The depend objects that the asynchronous routines take. For LLVM's omp.h each is a pointer behind a first
// item that holds the number of items.
void read_objects_of_llvm(int count, void* objects, DependenceList& list) {
  auto* const* const pointers = static_cast<const kmpc::DependInfo* const*>(objects);
  std::vector<kmpc::DependInfo> items;
  for (int i = 0; i < count && objects != nullptr; ++i)
    items.insert(items.end(), pointers[i], pointers[i] + pointers[i][-1].address);
  kmpc::read_dependences(static_cast<std::int32_t>(items.size()), items.data(), list);
}

// For GCC's each is itself a pair of address and kind, to which depend clauses point.
void read_objects_of_gcc(int count, void* objects, DependenceList& list) {
  if (count <= 0 || objects == nullptr) return;
  std::vector<void*> clauses(5 + static_cast<std::size_t>(count));
  clauses[1] = reinterpret_cast<void*>(static_cast<std::uintptr_t>(count));
  for (int i = 0; i < count; ++i)
    clauses[static_cast<std::size_t>(5 + i)] = static_cast<void**>(objects) + 2 * i;
  gomp::read_dependences(clauses.data(), list);
}

using ReadObjects = void (*)(int count, void* objects, DependenceList& list);

// Where the program is linked with this library by its name, which compiler its code is of is not in the
// symbol's version.
ReadObjects reader_for(const void* caller) {
  static constexpr const char* kOfClang[] = {"__kmpc_"};
  return object_needs(caller, kOfClang) ? read_objects_of_llvm : read_objects_of_gcc;
}

struct Objects {
  int count;
  void* list;
  ReadObjects read;
};

void submit_with(Task& task, const Objects& objects) {
  DependenceList dependences;
  objects.read(objects.count, objects.list, dependences);
  Member& me = this_member();
  observe(&Observer::task_created, task, {{}, dependences.span()});
  submit(me, task, dependences.span());
}

int copy_later(const Copy& copy, int to_device, int from_device, const Objects& objects) {
  if (!are_host(to_device, from_device)) return EINVAL;
  Task& task = new_task(this_member(), sizeof(Copy), 0);
  new (task.payload()) Copy(copy);
  task.body = [](Task& self) {
    const Copy& captured = *static_cast<Copy*>(self.payload());
    if (captured.bytes > 0) std::memmove(captured.to, captured.from, captured.bytes);
  };
  submit_with(task, objects);
  return 0;
}

int copy_box_later(Box box, int to_device, int from_device, const Objects& objects) {
  if (box.to == nullptr && box.from == nullptr) return INT_MAX;
  if (!are_host(to_device, from_device) || !is_valid(box)) return EINVAL;
  const auto extent = static_cast<std::size_t>(box.dimensions);
  Task& task = new_task(this_member(), sizeof(Box) + 5 * extent * sizeof(std::size_t), 0);
  // The caller may reuse its lists at once.
  auto* const lists = reinterpret_cast<std::size_t*>(static_cast<Box*>(task.payload()) + 1);
  std::size_t filled = 0;
  for (const std::size_t** list :
       {&box.volume, &box.to_offsets, &box.from_offsets, &box.to_extents, &box.from_extents}) {
    std::memcpy(lists + filled, *list, extent * sizeof(std::size_t));
    *list = lists + filled;
    filled += extent;
  }
  new (task.payload()) Box(box);
  task.body = [](Task& self) {
    const Box& captured = *static_cast<Box*>(self.payload());
    copy_box(captured, captured.to, captured.from, 0);
  };
  submit_with(task, objects);
  return 0;
}

struct Fill {
  void* memory;
  int value;
  std::size_t bytes;
};

void fill(const Fill& wanted) {
  if (wanted.memory != nullptr && wanted.bytes > 0) std::memset(wanted.memory, wanted.value, wanted.bytes);
}

void* fill_later(const Fill& wanted, int device, const Objects& objects) {
  require_available(device);
  if (!is_host(device)) return wanted.memory;
  Task& task = new_task(this_member(), sizeof(Fill), 0);
  new (task.payload()) Fill(wanted);
  task.body = [](Task& self) { fill(*static_cast<Fill*>(self.payload())); };
  submit_with(task, objects);
  return wanted.memory;
}

}  // namespace

HEDDLE_EXPORT void* omp_target_alloc(std::size_t bytes, int device) {
  require_available(device);
  return is_host(device) && bytes > 0 ? std::malloc(bytes) : nullptr;
}
HEDDLE_EXPORT void omp_target_free(void* memory, int device) {
  require_available(device);
  if (is_host(device)) std::free(memory);
}
HEDDLE_EXPORT int omp_target_is_present(const void* address, int device) {
  require_available(device);
  return address != nullptr && is_host(device);
}
HEDDLE_EXPORT int omp_target_is_accessible(const void* address, std::size_t bytes, int device) {
  require_available(device);
  return address != nullptr && bytes > 0 && is_host(device);
}
HEDDLE_EXPORT void* omp_get_mapped_ptr(const void* address, int device) {
  require_available(device);
  return is_host(device) ? const_cast<void*>(address) : nullptr;
}

// The host needs no association: its data environment is the original one.
HEDDLE_EXPORT int omp_target_associate_ptr(const void*, const void*, std::size_t, std::size_t, int device) {
  require_available(device);
  return EINVAL;
}
HEDDLE_EXPORT int omp_target_disassociate_ptr(const void*, int device) {
  require_available(device);
  return EINVAL;
}

HEDDLE_EXPORT int omp_target_memcpy(void* to, const void* from, std::size_t bytes, std::size_t to_offset,
                                    std::size_t from_offset, int to_device, int from_device) {
  if (!are_host(to_device, from_device)) return EINVAL;
  if (bytes > 0)
    std::memmove(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset, bytes);
  return 0;
}

// Two null pointers ask for the most dimensions that can be had.
HEDDLE_EXPORT int omp_target_memcpy_rect(void* to, const void* from, std::size_t element_bytes,
                                         int dimensions, const std::size_t* volume,
                                         const std::size_t* to_offsets, const std::size_t* from_offsets,
                                         const std::size_t* to_extents, const std::size_t* from_extents,
                                         int to_device, int from_device) {
  if (to == nullptr && from == nullptr) return INT_MAX;
  const Box box{static_cast<char*>(to),
                static_cast<const char*>(from),
                element_bytes,
                dimensions,
                volume,
                to_offsets,
                from_offsets,
                to_extents,
                from_extents};
  if (!are_host(to_device, from_device) || !is_valid(box)) return EINVAL;
  copy_box(box, box.to, box.from, 0);
  return 0;
}

// OpenMP 6.0
HEDDLE_EXPORT void* omp_target_memset(void* memory, int value, std::size_t bytes, int device) {
  require_available(device);
  if (is_host(device)) fill({memory, value, bytes});
  return memory;
}

// What follows is a task, once for each compiler's depend objects.
#define HEDDLE_ASYNCHRONOUS(suffix, read_objects)                                                       \
  HEDDLE_EXPORT int omp_target_memcpy_async##suffix(                                                    \
      void* to, const void* from, std::size_t bytes, std::size_t to_offset, std::size_t from_offset,    \
      int to_device, int from_device, int count, void* objects) {                                       \
    return copy_later(                                                                                  \
        {static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset, bytes},      \
        to_device, from_device, {count, objects, read_objects});                                        \
  }                                                                                                     \
  HEDDLE_EXPORT int omp_target_memcpy_rect_async##suffix(                                               \
      void* to, const void* from, std::size_t element_bytes, int dimensions, const std::size_t* volume, \
      const std::size_t* to_offsets, const std::size_t* from_offsets, const std::size_t* to_extents,    \
      const std::size_t* from_extents, int to_device, int from_device, int count, void* objects) {      \
    return copy_box_later({static_cast<char*>(to), static_cast<const char*>(from), element_bytes,       \
                           dimensions, volume, to_offsets, from_offsets, to_extents, from_extents},     \
                          to_device, from_device, {count, objects, read_objects});                      \
  }                                                                                                     \
  HEDDLE_EXPORT void* omp_target_memset_async##suffix(void* memory, int value, std::size_t bytes,       \
                                                      int device, int count, void* objects) {           \
    return fill_later({memory, value, bytes}, device, {count, objects, read_objects});                  \
  }
HEDDLE_ASYNCHRONOUS(, reader_for(__builtin_return_address(0)))
HEDDLE_ASYNCHRONOUS(_of_gcc, read_objects_of_gcc)
HEDDLE_ASYNCHRONOUS(_of_clang, read_objects_of_llvm)

HEDDLE_OMP_VERSIONS(omp_target_alloc);
HEDDLE_OMP_VERSIONS(omp_target_free);
HEDDLE_OMP_VERSIONS(omp_target_is_present);
HEDDLE_OMP_VERSIONS(omp_target_associate_ptr);
HEDDLE_OMP_VERSIONS(omp_target_disassociate_ptr);
HEDDLE_OMP_VERSIONS(omp_target_memcpy);
HEDDLE_OMP_VERSIONS(omp_target_memcpy_rect);
HEDDLE_OMP_VERSIONS(omp_target_is_accessible);
HEDDLE_OMP_VERSIONS(omp_get_mapped_ptr);
HEDDLE_OMP_VERSIONS(omp_target_memset);
HEDDLE_OMP_VERSIONS_OF_EACH(omp_target_memcpy_async, omp_target_memcpy_async_of_gcc,
                            omp_target_memcpy_async_of_clang);
HEDDLE_OMP_VERSIONS_OF_EACH(omp_target_memcpy_rect_async, omp_target_memcpy_rect_async_of_gcc,
                            omp_target_memcpy_rect_async_of_clang);
HEDDLE_OMP_VERSIONS_OF_EACH(omp_target_memset_async, omp_target_memset_async_of_gcc,
                            omp_target_memset_async_of_clang);

// Intel's runtime has them for Fortran as well.
extern "C" {
[[gnu::visibility("default"),
  gnu::alias("omp_target_memcpy_async_of_clang")]] decltype(omp_target_memcpy_async_of_clang)
    omp_target_memcpy_async_;
[[gnu::visibility("default"),
  gnu::alias("omp_target_memcpy_rect_async_of_clang")]] decltype(omp_target_memcpy_rect_async_of_clang)
    omp_target_memcpy_rect_async_;
}
