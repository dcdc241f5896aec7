/* Requests of MPI that tasks wait for: mpi/pending_requests.cpp, mpi/progress.cpp, mpi/suspended_wait.cpp. Every access to
 * memory that others see is one step; one under a lock that nobody looks at without it goes with its neighbours.
 *
 * Task 0 suspends until its request is complete (wait_suspended); its counter lies on its stack. Task 1 has
 * returned, and is complete when the event of its one request is fulfilled. Threads of the runtime call the poller. The
 * program ends MPI when its tasks have ended, or, which is its mistake, while requests are outstanding. */

#define REQUESTS 2 /* the last one is task 1's */
#define LAST (REQUESTS - 1)
#define NOBODY 255

/* MPI */
bool has_arrived[REQUESTS];
bool is_finalized;

/* PendingRequests. Who looks has look_lock, and with it the table. */
bool in_inbox[REQUESTS], in_table[REQUESTS];
byte outstanding;
bool entries_lock, look_lock;

/* Progress */
bool lock, is_there, is_over;
byte poller = NOBODY;

/* The runtime's slots of pollers: PollerSlot, which has tests of its own. Each thread may still be
 * in the last call of an old one when the next is registered. */
mtype = { Free, Idle, Running, Leaving };
mtype slots[3] = Free;

/* struct Waiting, and what alpi_task_block() waits for */
byte left;
bool is_resumed;

bool has_ended[2]; /* tasks */
bool is_early;     /* the program ends MPI with requests outstanding */
byte waiting;      /* tasks that have bound all they have */

#define bound(r) (in_inbox[r] || in_table[r])
#define are_in_table (outstanding == in_table[0] + in_table[1]) /* all */
#define ready(r) (in_table[r] && has_arrived[r])

inline acquire(which) {
  atomic { !which -> which = true }
}

/* heddle_register_poller() */
inline register() {
  d_step {
    if
    :: slots[0] == Free -> poller = 0
    :: else ->
       if
       :: slots[1] == Free -> poller = 1
       :: else -> assert(slots[2] == Free); poller = 2
       fi
    fi;
    slots[poller] = Idle
  }
}

/* heddle_unregister_poller(), outside of the poller */
inline remove() {
  atomic {
    if
    :: slots[poller] == Idle -> slots[poller] = Free
    :: slots[poller] == Running -> slots[poller] = Leaving
    fi
  }
#ifndef GO_ON_WHILE_THE_POLLER_RUNS
  slots[poller] == Free
#endif
}

/* PendingRequests::bind() */
inline bind(r) {
  acquire(entries_lock);
#ifdef COUNT_AFTER_PUBLISHING
  in_inbox[r] = true;
  entries_lock = false;
  outstanding++
#else
  in_inbox[r] = true;
  outstanding++;
  entries_lock = false
#endif
}

/* Progress::expect_requests() */
inline expect_requests() {
  if
  :: is_there
  :: else ->
     acquire(lock);
     if
     :: is_over || is_there
     :: else -> register(); is_there = true
     fi;
     lock = false
  fi
}

inline bind_and_expect(r) {
#ifdef EXPECT_BEFORE_BINDING
  expect_requests();
  bind(r)
#else
  bind(r);
  expect_requests()
#endif
}

proctype Task0() {
  byte r, before;
#ifdef COUNT_WITHOUT_ITSELF
  left = 0;
#else
  left = 1;
#endif
  r = 0;
  do
  :: r < LAST ->
     if
     :: has_arrived[r] /* MPI_Test() says so */
     :: left++; bind_and_expect(r)
     fi;
     r++
  :: else -> break
  od;
#ifdef COUNT_WITHOUT_ITSELF
  atomic { before = left + 1; waiting++ }
#else
  atomic { before = left; left--; waiting++ }
#endif
  if
  :: before == 1
  :: else ->
     if
     :: is_resumed -> is_resumed = false
     :: is_early && is_over -> goto given_up
     fi
  fi;
  has_ended[0] = true; /* its stack is gone */
given_up:
  skip
}

proctype Task1() {
  bind_and_expect(LAST);
  waiting++
}

/* Listener::tell() */
inline tell(r) {
  if
  :: r < LAST ->
     d_step { assert(!has_ended[0]); before = left; left-- }
     if
     :: before == 1 -> d_step { assert(!has_ended[0] && !is_resumed); is_resumed = true }
     :: else
     fi
  :: else -> d_step { assert(!has_ended[1]); has_ended[1] = true }
  fi
}

/* PendingRequests::look(): MPI_Testsome() says which are complete, all at once. */
inline look() {
  found = 0;
  if
  :: outstanding == 0 -> goto looked
  :: else
  fi;
  d_step { assert(!look_lock); look_lock = true } /* one poller looks */
  if
  :: are_in_table
  :: else ->
     acquire(entries_lock);
     d_step {
       for (r : 0 .. REQUESTS - 1) {
         in_table[r] = in_table[r] || in_inbox[r];
         in_inbox[r] = false
       }
       entries_lock = false
     }
  fi;
  d_step {
    assert(!is_finalized);
    for (r : 0 .. REQUESTS - 1) {
      told[r] = in_table[r] && has_arrived[r];
      found = found + told[r]
    }
  }
  if
  :: found > 0 ->
     acquire(entries_lock);
     d_step {
       for (r : 0 .. REQUESTS - 1) {
         in_table[r] = in_table[r] && !told[r]
       }
       entries_lock = false
     }
  :: else
  fi;
  look_lock = false;
  outstanding = outstanding - found;
  do
  :: told[0] || told[1] ->
     d_step {
       r = (told[0] -> 0 : 1);
       told[r] = false
     }
     tell(r)
  :: else -> break
  od;
looked:
  skip
}

/* Progress::poll(), after a millisecond in which nothing was complete where it finds nothing outstanding */
inline poll() {
  look();
  if
  :: found > 0 || outstanding != 0 -> goto polled
  :: else
  fi;
  atomic {
    if
    :: lock -> goto polled
    :: else -> lock = true
    fi
  }
  if
  :: is_over
  :: else ->
     is_there = false;
#ifdef LEAVE_WITHOUT_LOOKING_AGAIN
     slots[mine] = Leaving
#else
     if
     :: outstanding != 0 -> is_there = true
     :: else -> slots[mine] = Leaving
     fi
#endif
  fi;
  lock = false;
polled:
  skip
}

/* A thread of the runtime. A call that would find what the one before did is none. */
active [2] proctype Thread() {
  byte r, before, found, mine;
  bool told[REQUESTS];
  do
  :: atomic {
       (outstanding != 0 && (!are_in_table || ready(0) || ready(1))) || (outstanding == 0 && !lock && !is_over) ->
       if
       :: slots[0] == Idle -> mine = 0
       :: slots[1] == Idle -> mine = 1
       :: slots[2] == Idle -> mine = 2
       :: is_finalized -> break
       fi;
       slots[mine] = Running
     }
     poll();
     d_step {
       slots[mine] = (slots[mine] == Leaving -> Free : Idle);
       mine = 0; before = 0; found = 0; r = 0
     }
  :: is_finalized -> break
  od
}

active proctype Network() {
  do
  :: !has_arrived[0] -> has_arrived[0] = true
  :: !has_arrived[1] -> has_arrived[1] = true
  :: is_finalized -> break
  od
}

/* The program, and Progress::finalize() */
init {
  run Task0();
  run Task1();
  if
  :: is_early = true; waiting == 2
  :: true; has_ended[0] && has_ended[1]
  fi;
  acquire(lock);
  is_over = true;
  lock = false;
  if
  :: is_there -> remove()
  :: else
  fi;
  d_step {
    is_finalized = true;
    assert(is_early || outstanding == 0);
    assert(outstanding == bound(0) + bound(1))
  }
}
