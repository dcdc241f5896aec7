// ALPI 1.2 as a library uses it that knows no runtime: every function is looked up by its name.
//
// find_alpi() comes first in main(); then the functions are called like any others.
#ifndef HEDDLE_TESTS_RUNTIME_ALPI_ALPI_BY_NAME_H_
#define HEDDLE_TESTS_RUNTIME_ALPI_ALPI_BY_NAME_H_

#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

struct alpi_task;
struct alpi_attr;

enum {
  ALPI_SUCCESS,
  ALPI_ERR_VERSION,
  ALPI_ERR_NOT_INITIALIZED,
  ALPI_ERR_PARAMETER,
  ALPI_ERR_OUT_OF_MEMORY,
  ALPI_ERR_OUTSIDE_TASK,
  ALPI_ERR_UNKNOWN,
  ALPI_ERR_FEATURE_UNKNOWN
};

enum { ALPI_INFO_RUNTIME_NAME, ALPI_INFO_RUNTIME_VENDOR, ALPI_INFO_VERSION };
enum {
  ALPI_FEATURE_BLOCKING = 1,
  ALPI_FEATURE_EVENTS = 2,
  ALPI_FEATURE_RESOURCES = 4,
  ALPI_FEATURE_SUSPEND = 8
};
enum {
  ALPI_SUSPEND_MODE_NONE,
  ALPI_SUSPEND_MODE_SUBMIT,
  ALPI_SUSPEND_MODE_TIMEOUT_SUBMIT,
  ALPI_SUSPEND_MODE_EVENT_SUBMIT
};

typedef void (*alpi_function)(void*);

#define ALPI_FUNCTIONS(F)                                                                            \
  F(const char*, alpi_error_string, (int error))                                                     \
  F(int, alpi_version_check, (int major, int minor))                                                 \
  F(int, alpi_version_get, (int* major, int* minor))                                                 \
  F(int, alpi_info_get, (int query, char* text, size_t capacity, int* length))                       \
  F(int, alpi_feature_check, (int features))                                                         \
  F(int, alpi_task_self, (struct alpi_task * *task))                                                 \
  F(int, alpi_task_block, (struct alpi_task * task))                                                 \
  F(int, alpi_task_unblock, (struct alpi_task * task))                                               \
  F(int, alpi_task_waitfor_ns, (uint64_t target, uint64_t* actual))                                  \
  F(int, alpi_task_events_increase, (struct alpi_task * task, uint64_t count))                       \
  F(int, alpi_task_events_decrease, (struct alpi_task * task, uint64_t count))                       \
  F(int, alpi_task_events_test, (struct alpi_task * task, uint64_t* has_events))                     \
  F(int, alpi_attr_create, (struct alpi_attr * *attributes))                                         \
  F(int, alpi_attr_destroy, (struct alpi_attr * attributes))                                         \
  F(int, alpi_attr_init, (struct alpi_attr * attributes))                                            \
  F(int, alpi_attr_size, (uint64_t* bytes))                                                          \
  F(int, alpi_task_spawn,                                                                            \
    (alpi_function body, void* argument, alpi_function done, void* done_argument, const char* label, \
     const struct alpi_attr* attributes))                                                            \
  F(int, alpi_cpu_count, (uint64_t* count))                                                          \
  F(int, alpi_cpu_logical_id, (uint64_t* id))                                                        \
  F(int, alpi_cpu_system_id, (uint64_t* id))                                                         \
  F(int, alpi_task_suspend_mode_set, (struct alpi_task * task, int mode, uint64_t argument))         \
  F(int, alpi_task_suspend, (struct alpi_task * task))

#define ALPI_DECLARE(result, name, parameters) static result(*name) parameters;
ALPI_FUNCTIONS(ALPI_DECLARE)

static void find_function(const char* name, void* pointer) {
  void* const function = dlsym(RTLD_DEFAULT, name);
  if (function == NULL) printf("there is no %s\n", name);
  CHECK(function != NULL);
  memcpy(pointer, &function, sizeof function);
}

static void find_alpi(void) {
#define ALPI_FIND(result, name, parameters) find_function(#name, &name);
  ALPI_FUNCTIONS(ALPI_FIND)
#undef ALPI_FIND
}

#define CHECK_SUCCESS(call) CHECK((call) == ALPI_SUCCESS)

#endif
