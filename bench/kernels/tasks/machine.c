// What the kernels ask of the machine: slots, how fast compute() runs, and how much memory there is.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tasks.h"

uint32_t* slots;

void prepare_slots(void) {
  slots = allocated(work.tasks, sizeof *slots);
}

void reset_slots(void) {
  memset(slots, 0, (size_t)work.tasks * sizeof *slots);
}

bool every_slot_is_one(void) {
  for (long i = 0; i < work.tasks; ++i) {
    if (slots[i] != 1) return false;
  }
  return true;
}

void finish_slots(void) {
  free(slots);
  slots = NULL;
}

static long status_bytes(const char* field) {
  FILE* status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  const size_t length = strlen(field);
  long kib = 0;
  for (char line[256]; fgets(line, sizeof line, status) != NULL;) {
    if (strncmp(line, field, length) == 0 && line[length] == ':') kib = atol(line + length + 1);
  }
  fclose(status);
  return kib * 1024;
}

long resident_bytes(void) {
  return status_bytes("VmRSS");
}

long peak_resident_bytes(void) {
  return status_bytes("VmHWM");
}
