/* Tasks that wait for events and leave their thread: runtime/fiber/ and runtime/suspend/suspension.cpp.
 *
 * One thread of the runtime and others outside it. The thread executes one *context* at a time: its native
 * stack, or a stack from its pool, each a process here that runs only while `cpu` names it. A task that waits
 * publishes its context in the event's word, and its thread goes on with who is next, or with the base of
 * another stack, which looks for tasks and sleeps where there is none. Whoever fulfils the event takes the
 * context out of the word and hands it to its thread.
 *
 * What must hold is said where it must, as assertions and as states that may be the last; and nothing goes on for
 * ever. Each step is one access to memory that others see; what only the thread itself sees is one step
 * with the next. Memory is sequentially consistent: the fences in runtime/sync/parking.hpp make it so.
 *
 * The switches spoil the model, one mistake each: Spin has to find every one of them. */

#define STACKS 3 /* in the pool; their contexts are 1 to STACKS */
#define CONTEXTS 4
#define NATIVE 0
#define NOBODY 255

/* Tasks: the implicit one, one that waits twice, one that waits once, and one that fulfils what that waits for. */
#define IMPLICIT 0
#define WAITS_TWICE 1
#define WAITS_ONCE 2
#define FULFILS 3
#define TASKS 4

/* Events: of WAITS_TWICE, with two lives; of WAITS_ONCE; of the implicit task. */
#define TWICE 0
#define ONCE 1
#define ITS_OWN 2
#define EVENTS 3

#include "shared_words.pmh"

/* -- The pool: runtime/fiber/stack_pool.hpp, and the switch: runtime/fiber/context.hpp. */

byte cpu = NATIVE;             /* the context that the thread executes */
bool is_left[CONTEXTS];        /* nobody executes there, and somebody may go on */
bool is_taken[CONTEXTS];       /* from the pool */
byte left_stack = NOBODY;      /* left for good by who went on last; to be given back */
byte first_task = NOBODY;      /* to be executed first by who goes on at a base */

inline take_stack(stack) {
  d_step {
    stack = 1;
    do
    :: stack <= STACKS && is_taken[stack] -> stack++
    :: else -> break
    od;
    assert(stack <= STACKS && is_left[stack]);
    is_taken[stack] = true
  }
}

inline give_back(stack) {
  assert(is_taken[stack] && is_left[stack]); /* nobody stands there: its pages may go */
  is_taken[stack] = false
}

/* Whoever goes on does this first. */
inline arrive() {
  d_step {
    assert(cpu == self);
    if
#ifndef NEVER_GIVE_BACK
    :: left_stack != NOBODY -> give_back(left_stack); left_stack = NOBODY
#endif
    :: else
    fi
  }
}

inline hand_over_to(context) {
  d_step {
    assert(cpu == self && !is_left[self]);
    assert(is_left[context]); /* nobody goes on where somebody executes */
    is_left[context] = false;
    is_left[self] = true;
    cpu = context
  }
}

inline go_on_later() {
  atomic { cpu == self; arrive() }
}

/* -- Leaving: runtime/suspend/suspension.cpp. The caller has said where it goes on. */

/* One step, since of what it touches others see only `arrived`. */
inline leave(task_to_begin_with) {
  atomic {
    to = NOBODY;
    if
    :: task_to_begin_with == NOBODY -> take_next(to)
    :: else
    fi;
    if
    :: to == NOBODY -> take_stack(to); first_task = task_to_begin_with
    :: else
    fi;
    if
#ifndef GO_TO_ITSELF
    :: to == self /* it was resumed before it left */
#endif
    :: else -> hand_over_to(to)
    fi
  };
  go_on_later()
}

inline wait_for(e) {
  if
  :: events[e].is_fulfilled /* early */
  :: else -> begin_wait(e);
     if
     :: is_waiting -> is_waiting = false; leave(NOBODY)
     :: else
     fi
  fi;
  close_event(e)
}

byte ended; /* tasks */

/* -- What a thread does in one of its contexts. */

/* The implicit task begins with two others: one that it executes apart the moment it creates it, and goes on
 * itself when that one suspends. */
inline begin_region() {
  open_event(ONCE);
  next_first = NATIVE;
  leave(WAITS_TWICE);
  ready_tasks!WAITS_ONCE
}

/* On a pooled stack who is next goes on, and the stack is left for good; the barrier goes on behind him. */
inline go_on_or_find_task() {
  take_next(to);
  if
  :: to != NOBODY && self == NATIVE ->
     is_suspended[self] = true;
     push(next_own, self);
     hand_over_to(to)
  :: to != NOBODY && self != NATIVE ->
#ifdef GIVE_BACK_BEFORE_LEAVING
     give_back(self);
#else
     left_stack = self;
#endif
     hand_over_to(to);
     goto parked
  :: to == NOBODY && len(ready_tasks) > 0 -> ready_tasks?task; goto execute
  :: else -> goto sleep
  fi
}

inline fulfill_anothers_event() {
  fulfill(ONCE, 0);
  assert(!was_refused);
  if
  :: waiter != NOBODY -> push(next_own, waiter)
  :: else
  fi
}

inline begin_task() {
  if
  :: task == IMPLICIT -> e = ITS_OWN; waits_left = 1
  :: task == WAITS_TWICE -> e = TWICE; waits_left = 2
  :: task == WAITS_ONCE -> e = ONCE; waits_left = 1
  :: task == FULFILS -> fulfill_anothers_event()
  fi
}

inline begin_next_wait() {
  waits_left--;
  if
  :: task != WAITS_ONCE -> open_event(e); events[e].handed_out++
  :: else /* its creator has opened it */
  fi
}

inline end_task() {
  ended++;
  task = 0; to = 0; waiter = 0; e = 0 /* of no interest any more: fewer states */
}

inline expect_whole_pool() {
  d_step {
    to = 1;
    do
    :: to <= STACKS -> assert(!is_taken[to] && is_left[to]); to++
    :: else -> break
    od
  }
}

/* On the native stack the implicit task, then the barrier that ends when all tasks have; a pooled stack is
 * parked at its base until somebody goes on there. Both execute tasks. */
proctype Context(byte self) {
  byte task, to, waiter, waits_left, e;
  bool is_waiting, was_refused;
  if
  :: self == NATIVE -> begin_region(); task = IMPLICIT; goto execute
  :: else -> goto parked
  fi;

look:
  atomic {
    if
    :: self == NATIVE && ended == TASKS -> goto is_over
    :: else -> go_on_or_find_task()
    fi
  };
  go_on_later();
  goto look;

sleep:
  sleep_where_nothing_is_left();
  goto look;

parked:
end_parked:
  atomic {
    cpu == self;
    arrive();
    if
    :: first_task != NOBODY -> task = first_task; first_task = NOBODY
    :: else -> goto look
    fi
  };

execute:
  atomic { begin_task() };
  do
  :: waits_left > 0 -> atomic { begin_next_wait() }; wait_for(e)
  :: else -> break
  od;
  atomic { end_task(); goto look };

is_over:
  expect_whole_pool() /* it has back what was taken */
}

/* Fulfils one life of an event, as soon as it is handed out: perhaps before somebody waits. */
proctype Outsider(byte e; byte life) {
  byte waiter;
  bool was_refused, is_claimed;
  events[e].handed_out > life;
  fulfill(e, life);
  if
  :: was_refused -> assert(false)
  :: waiter != NOBODY -> resume(waiter)
  :: else
  fi
}

/* Comes with the handle of a life that has ended, whatever the event is doing now. */
proctype Latecomer() {
  byte waiter;
  bool was_refused;
  atomic {
    events[TWICE].life > 0;
    fulfill(TWICE, 0);
    assert(was_refused);
    was_refused = false
  }
}

/* Another thread of the team makes a task ready. */
proctype Creator() {
  bool is_claimed;
  ready_tasks!FULFILS;
  wake()
}

init {
  byte i;
  atomic {
    do
    :: i < CONTEXTS -> is_left[i] = i != NATIVE; run Context(i); i++
    :: else -> break
    od;
    run Outsider(TWICE, 0);
    run Outsider(TWICE, 1);
    run Outsider(ITS_OWN, 0);
    run Latecomer();
    run Creator()
  }
}
