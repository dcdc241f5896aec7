/* A task that leaves its thread until its children are complete: leave_for_children() in
 * runtime/tasking/wait.cpp, the count in runtime/task/task.hpp, announce_completions() in
 * runtime/tasking/complete.cpp.
 *
 * While the parent runs, its owner counts by itself the children that it creates and completes; the others
 * take off the word what they complete, in pieces: the word holds BIAS less those. To wait, the parent gives
 * up being owner and turns the word into "children outstanding", with a mark that somebody waits, in one step.
 * From then on whoever brings the count to zero resumes the parent, and nobody else does: either the parent
 * finds at that step that nobody is outstanding, or exactly one child's completion resumes it.
 *
 * Each step is one access to memory that others see. The switches spoil the model, one mistake each: Spin has
 * to find every one of them. */

#define BIAS 100
#define FIRST_WAIT 3 /* children created before it; one of them creates another in the parent's stead */
#define SECOND_WAIT 2
#define OWN 0 /* the parent's thread */
#define NOBODY 9

/* -- The parent. */

typedef Word {
  int count = BIAS;
  bool has_waiter
}
Word word;
int children_out; /* by the owner: created less completed */
byte owner = OWN;
bool is_released; /* its memory may be somebody else's */

/* -- What is true, beside what the runtime knows. */

byte incomplete;        /* children */
bool is_waiting;        /* the parent has left its thread, or is about to */
byte resumes;           /* of this wait */
bool has_been_resumed;  /* it is next on its thread */

chan ready = [4] of { bool }; /* tasks: whether it creates a sibling */

inline create_by_owner(creates_sibling) {
  d_step {
    children_out++;
    incomplete++;
    ready!creates_sibling
  }
}

/* By a running child: the parent may be waiting, or not yet. */
inline create_sibling() {
  d_step {
    assert(!is_released && incomplete > 0);
    word.count++;
    incomplete++;
    ready!false
  }
}

/* Resumes the parent, which waits for just this and so is still there. */
inline resume_parent() {
  d_step {
    assert(!is_released && is_waiting && incomplete == 0);
    resumes++;
    assert(resumes == 1);
    has_been_resumed = true
  }
}

inline announce_completions() {
  if
  :: gathered > 0 ->
     d_step {
       assert(!is_released);
       word.count = word.count - gathered;
       incomplete = incomplete - gathered;
       gathered = 0;
       is_last = word.has_waiter && word.count == 0
     };
#ifdef LOOK_AFTER_COUNTING
     d_step {
       assert(!is_released);
       is_last = word.has_waiter && word.count == 0
     };
#endif
     if
     :: is_last -> is_last = false; resume_parent()
     :: else
     fi
  :: else
  fi
}

/* Executes one child. What it completes of another's children it gathers, and announces now or later. */
inline execute_child(me) {
  if
  :: creates_sibling -> creates_sibling = false; create_sibling()
  :: else
  fi;
  if
  :: owner == me -> d_step { children_out--; incomplete-- }
  :: else -> gathered++;
     if
     :: announce_completions()
     :: true /* with the next */
     fi
  fi
}

/* -- Another member of the team. It announces before it sleeps. */

proctype Member(byte me) {
  byte gathered;
  bool creates_sibling, is_last;
  do
  :: ready?creates_sibling -> execute_child(me)
  :: len(ready) == 0 && gathered > 0 -> announce_completions()
  :: is_released && gathered == 0 -> break
  od
}

/* -- The parent's thread: the parent itself, and, while that is suspended, the base of another stack. */

#define ALL_COMPLETE (word.count == BIAS - children_out)

inline begin_child_wait() {
#ifdef LOOK_BEFORE_MARKING
  has_outstanding = !ALL_COMPLETE;
#endif
  d_step {
    word.count = word.count - (BIAS - children_out);
    word.has_waiter = true;
#ifndef LOOK_BEFORE_MARKING
    has_outstanding = word.count != 0
#endif
  }
}

inline end_child_wait() {
  d_step {
    word.has_waiter = false;
#ifndef FORGET_TO_TURN_BACK
    word.count = word.count + (BIAS - children_out)
#endif
  }
}

/* The thread executes tasks until the parent is next. */
inline serve_base() {
  do
  :: has_been_resumed -> break
  :: ready?creates_sibling -> execute_child(OWN)
#ifndef SLEEP_WITH_COMPLETIONS
  :: !has_been_resumed && len(ready) == 0 && gathered > 0 -> announce_completions()
#endif
  od
}

inline wait_for_children() {
  if
  :: ALL_COMPLETE
  :: else ->
     is_waiting = true;
#ifndef STAY_OWNER
     owner = NOBODY;
#endif
     begin_child_wait();
     if
     :: has_outstanding -> serve_base()
     :: else
     fi;
     end_child_wait();
     d_step {
       assert(resumes == (has_outstanding -> 1 : 0)); /* exactly one of the two */
       owner = OWN;
       is_waiting = false; has_been_resumed = false; resumes = 0; has_outstanding = false
     }
  fi;
  assert(incomplete == 0)
}

proctype Parent() {
  byte gathered;
  bool creates_sibling, is_last, has_outstanding;
  create_by_owner(true);
  create_by_owner(false);
  create_by_owner(false);
  if /* before it waits it may execute one itself, as its owner */
  :: ready?creates_sibling -> execute_child(OWN)
  :: true
  fi;
  wait_for_children();
  create_by_owner(false);
  create_by_owner(false);
  wait_for_children();
  assert(ALL_COMPLETE && !word.has_waiter);
  is_released = true
}

init {
  atomic {
    run Parent();
    run Member(1);
    run Member(2)
  }
}
