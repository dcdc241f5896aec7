/* Sends and receives in each way that MPI has, between all neighbours of a ring, from several threads of
 * each rank. Each rank says at its end how many messages it has sent. Each message of one tag has another
 * length, so that a test sees which receive has got it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { kRounds = 40, kBytes = 4096, kMostRanks = 100, kMostThreads = 4 };

static int rank, ranks, left, right;
static int others, rounds; /* the other threads, and how often each sends two messages */
static int sent;
static MPI_Comm of_others; /* the other threads': the first one receives any tag */

static char out[kBytes], in[kBytes];

static void blocking(MPI_Comm comm, int to, int from) {
  MPI_Request request;
  for (int i = 0; i < kRounds; ++i) {
    MPI_Isend(out, i, MPI_BYTE, to, 1, comm, &request);
    MPI_Recv(in, kBytes, MPI_BYTE, from, 1, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, i, MPI_INT, to, 2, in, kBytes / 4, MPI_INT, from, 2, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 3 + i, MPI_BYTE, to, 3, from, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
    sent += 3;
  }
}

/* All receives are open at the same time, and complete in each way. */
static void with_requests(MPI_Comm comm) {
  MPI_Request requests[2 * kRounds];
  int indices[2 * kRounds], done, index, flag;
  MPI_Status statuses[2 * kRounds];
  for (int way = 0; way < 8; ++way) {
    for (int i = 0; i < kRounds; ++i) {
      const int from = way % 2 == 0 ? left : MPI_ANY_SOURCE;
      MPI_Irecv(in + i, kBytes - i, MPI_BYTE, from, 10 + way, comm, &requests[i]);
    }
    for (int i = 0; i < kRounds; ++i) {
      MPI_Isend(out, 1 + i, MPI_BYTE, right, 10 + way, comm, &requests[kRounds + i]);
      ++sent;
    }
    const int all = 2 * kRounds;
    done = flag = 0;
    switch (way) {
      case 0:
        MPI_Waitall(all, requests, MPI_STATUSES_IGNORE);
        break;
      case 1:
        for (int i = 0; i < all; ++i) MPI_Waitany(all, requests, &index, MPI_STATUS_IGNORE);
        break;
      case 2:
        for (int n = 0; n < all; n += done) MPI_Waitsome(all, requests, &done, indices, MPI_STATUSES_IGNORE);
        break;
      case 3:
        while (flag == 0) MPI_Testall(all, requests, &flag, statuses);
        break;
      case 4:
        for (int n = 0; n < all; n += flag) {
          MPI_Testany(all, requests, &index, &flag, MPI_STATUS_IGNORE);
        }
        break;
      case 5:
        for (int n = 0; n < all; n += done) MPI_Testsome(all, requests, &done, indices, statuses);
        break;
      case 6:
        for (int i = 0; i < all; ++i) {
          for (flag = 0; flag == 0;) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        }
        break;
      default:
        for (int i = 0; i < all; ++i) MPI_Wait(&requests[i], &statuses[0]);
    }
    MPI_Barrier(comm);
  }
}

static void persistent(void) {
  MPI_Request requests[2];
  MPI_Recv_init(in, kBytes, MPI_BYTE, left, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Ssend_init(out, 77, MPI_BYTE, right, 30, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < kRounds; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    ++sent;
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void probed(void) {
  MPI_Request request;
  MPI_Status status;
  MPI_Message first, second;
  int flag = 0, bytes;
  for (int i = 0; i < kRounds; ++i) {
    MPI_Isend(out, 2 * i, MPI_BYTE, right, 40, MPI_COMM_WORLD, &request);
    MPI_Send(out, 2 * i + 1, MPI_BYTE, right, 40, MPI_COMM_WORLD);
    sent += 2;
    MPI_Mprobe(MPI_ANY_SOURCE, 40, MPI_COMM_WORLD, &first, &status);
    for (flag = 0; flag == 0;) MPI_Improbe(left, 40, MPI_COMM_WORLD, &flag, &second, MPI_STATUS_IGNORE);
    /* The second first. */
    MPI_Mrecv(in, kBytes, MPI_BYTE, &second, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Imrecv(in, bytes, MPI_BYTE, &first, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

/* No messages: none may be recorded. */
static void nothing(void) {
  MPI_Request request;
  int flag;
  MPI_Send(out, 5, MPI_BYTE, MPI_PROC_NULL, 50, MPI_COMM_WORLD);
  MPI_Recv(in, 5, MPI_BYTE, MPI_PROC_NULL, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Irecv(in, 5, MPI_BYTE, left, 51, MPI_COMM_WORLD, &request);
  for (int i = 0; i < 1000; ++i) {
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Iprobe(left, 51, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  MPI_Cancel(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* A type that is gone when the receive completes, and one that is no multiple of what is received. */
static void typed(void) {
  MPI_Datatype two;
  MPI_Request request;
  MPI_Type_contiguous(2, MPI_DOUBLE, &two);
  MPI_Type_commit(&two);
  MPI_Irecv(in, 100, two, left, 60, MPI_COMM_WORLD, &request);
  MPI_Type_free(&two);
  MPI_Send(out, 13, MPI_DOUBLE, right, 60, MPI_COMM_WORLD);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  ++sent;
}

/* Handles that one thread has done with are soon another's. The tag is given. */
static void* other_thread(void* given) {
  const int tag = *(int*)given;
  char into[kBytes];
  MPI_Request requests[4];
  int flag;
  for (int i = 0; i < rounds; ++i) {
    for (int n = 0; n < 2; ++n) {
      MPI_Irecv(into, kBytes, MPI_BYTE, left, tag, of_others, &requests[n]);
      MPI_Isend(out, (2 * i + n) % 4000, MPI_BYTE, right, tag, of_others, &requests[2 + n]);
    }
    if ((i + tag) % 2 == 0)
      for (flag = 0; flag == 0;) MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
    else
      MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  }
  return NULL;
}

static void collectives(void) {
  int mine = rank, sum = 0, all[kMostRanks];
  MPI_Request request;
  MPI_Bcast(&mine, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Iallgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = (rank + ranks - 1) % ranks;
  right = (rank + 1) % ranks;
  memset(out, 1, sizeof out);

  MPI_Comm_dup(MPI_COMM_WORLD, &of_others);
  /* They spin: fewer, where more ranks share the processors. */
  others = provided < MPI_THREAD_MULTIPLE ? 0 : ranks == 2 ? kMostThreads : 1;
  rounds = ranks == 2 ? 500 : 100;
  pthread_t threads[kMostThreads];
  int tags[kMostThreads];
  for (int i = 0; i < others; ++i) {
    tags[i] = 70 + i;
    pthread_create(&threads[i], NULL, other_thread, &tags[i]);
    sent += 2 * rounds;
  }
  blocking(MPI_COMM_WORLD, right, left);
  with_requests(MPI_COMM_WORLD);
  persistent();
  probed();
  nothing();
  typed();
  collectives();

  /* Each rank meets the copies in another order; the last one has other ranks than the world. */
  MPI_Comm first, second, backwards;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
  MPI_Request requests[4];
  for (int i = 0; i < 2; ++i) {
    const MPI_Comm comm = (i + rank) % 2 == 0 ? first : second;
    MPI_Irecv(in + 100 * i, 100, MPI_BYTE, left, 80, comm, &requests[2 * i]);
    MPI_Isend(out, comm == first ? 3 : 4, MPI_BYTE, right, 80, comm, &requests[2 * i + 1]);
    ++sent;
  }
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  const int mine = ranks - 1 - rank;
  blocking(backwards, (mine + 1) % ranks, (mine + ranks - 1) % ranks);
  for (int i = 0; i < others; ++i) pthread_join(threads[i], NULL);
  MPI_Comm_free(&of_others);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Comm_free(&backwards);
  printf("rank %d sent %d\n", rank, sent);
  return MPI_Finalize();
}
