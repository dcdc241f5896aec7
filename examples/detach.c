// A task that is complete only when an event arrives: its successors wait for the event, no thread does.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

static int g_message;
static omp_event_handle_t g_event;

// Stands for a device or a network: not a thread of OpenMP.
static void* deliver(void* unused) {
  (void)unused;
  g_message = 42;
  omp_fulfill_event(g_event);
  return NULL;
}

int main(void) {
  pthread_t courier;
  int request = 0;  // stands for what arrives, in the dependences
  (void)request;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task depend(out : request) detach(event) shared(courier)
    {
      g_event = event;
      pthread_create(&courier, NULL, deliver, NULL);
    }
#pragma omp task depend(in : request)
    printf("received %d\n", g_message);
  }
  pthread_join(courier, NULL);
  return 0;
}
