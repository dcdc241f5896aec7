// Loads libraries that use OpenMP, has them compute, unloads them, and does so again from another thread: the
// program itself knows nothing of OpenMP.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static int load_compute_unload(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  int (*compute)(void);
  *(void**)&compute = dlsym(library, "compute_in_parallel");
  if (compute == NULL || compute() != 0) {
    printf("%s computed wrongly\n", path);
    return 1;
  }
  if (dlclose(library) != 0) return 1;
  return 0;
}

static void* on_another_thread(void* path) {
  return load_compute_unload(path) == 0 ? path : NULL;
}

int main(int argc, char** argv) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    for (int i = 1; i < argc; ++i) {
      if (load_compute_unload(argv[i]) != 0) return 1;
      pthread_t thread;
      void* result;
      if (pthread_create(&thread, NULL, on_another_thread, argv[i]) != 0) return 1;
      if (pthread_join(thread, &result) != 0 || result == NULL) return 1;
    }
  }
  return 0;
}
