/* Events of a library that a task has counted, and which come from outside: runtime/task/external_state.hpp and
 * runtime/tasking/detach.cpp. Every access to memory that others see is one step.
 *
 * The task is either one like any other, complete when its body has returned and all events have come, or executes
 * NODES nodes of a recorded graph one after the other, each of which waits for its own events before the next begins. */

#define NODES 3
#define REQUESTS 3 /* of each body, at most */
#define OUTSIDE 2  /* threads that complete them */

#ifdef BODY_IS_NO_EVENT
#  define BODY 0
#else
#  define BODY 16 /* kBodyEvent: more than all the others */
#endif

bool is_of_graph;
chan posted = [REQUESTS] of { byte }; /* requests that the outside knows; of which node */
byte outstanding[NODES];              /* what the program waits for */
bool is_over;

/* ExternalState, and the word Task::event */
byte events;
bool has_waiter, is_resumed;
bool has_returned, is_fulfilled, is_complete;

inline complete() {
  d_step {
    assert(!is_complete && outstanding[0] == 0); /* once, and not too early */
    is_complete = true;                          /* its memory is used for something else */
    is_over = true
  }
}

/* before: the count, of which some are taken. */
inline take(count) {
  d_step {
    assert(!is_complete);
    before = events;
    events = events - count
  }
}

inline increase_events() {
  if
  :: n == 0 -> events = BODY
  :: else
  fi;
  d_step { events++ }
}

inline issue(node) {
  d_step { outstanding[node]++ }
#ifdef POST_BEFORE_COUNTING
  posted!node;
  increase_events()
#else
  increase_events();
  posted!node
#endif
}

/* wait_for_events_of_node() */
inline end_node() {
  if
  :: n == 0 /* it has counted none */
  :: else ->
#ifdef GO_ON_AT_ONCE
     take(BODY)
#else
#  ifdef PUBLISH_TOO_LATE
     take(BODY);
     has_waiter = true;
#  else
     has_waiter = true;
     take(BODY);
#  endif
     if
     :: before != BODY -> is_resumed; is_resumed = false
     :: else
     fi;
     has_waiter = false
#endif
  fi
}

/* end_body(), and end_body_of_external() */
inline end_task() {
  if
  :: n == 0 -> complete()
  :: else ->
     take(BODY);
     if
     :: before == BODY -> is_fulfilled = true
     :: else
     fi;
#ifdef RETURN_IN_TWO_STEPS
     was = is_fulfilled;
     has_returned = true;
#else
     d_step { was = is_fulfilled; has_returned = true }
#endif
     if
     :: was -> complete()
     :: else
     fi
  fi
}

active proctype Body() {
  byte node, n, before;
  bool was;
  if
  :: is_of_graph = true
  :: is_of_graph = false
  fi;
  do
  :: node < NODES ->
     n = 0;
     do
     :: n < REQUESTS -> issue(node); n++
     :: break
     od;
     if
     :: is_of_graph ->
        end_node();
        d_step { assert(outstanding[node] == 0); node++ }
     :: else -> end_task(); goto returned
     fi
  :: else -> break
  od;
  is_over = true;
returned:
  skip
}

/* decrease_events() */
active [OUTSIDE] proctype Outside() {
  byte node, before;
  bool was;
  do
  :: posted?node ->
     d_step { outstanding[node]-- }
     take(1);
     if
     :: before == 1 ->
        if
        :: has_waiter -> d_step { assert(!is_resumed); is_resumed = true }
        :: else ->
           d_step { was = has_returned; is_fulfilled = true }
           if
           :: was -> complete()
           :: else
           fi
        fi
     :: else
     fi
  :: is_over -> break
  od
}
