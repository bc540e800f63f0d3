// The calls of one process on the files of one folder: recorded in order, and made to fail on demand.
//
// The definitions in `files.c`, `bytes.c` and `names.c` take the place of those in the C library, because an
// executable's symbols come before those of shared libraries. So they see every call, those of Foundation included,
// and reach the library through dlsym(RTLD_NEXT) or the system directly.
//
//   FIEF_ROOT     the folder whose files are watched, without a slash at its end; without it no call is touched
//   FIEF_RECORD   the file to which the record goes
//   FIEF_PLAN     what happens at which call: "12:kill-inside,30:fail=5", numbers as in the record, from 1
//   FIEF_JITTER   a seed: calls are held up at random, so that threads and processes meet in other orders
//   FIEF_SYNC     "really": synchronizations reach the system as well
//   FIEF_LOCKS    "free": every lock is free
//
// Plans for one call:
//
//   kill-before, kill-after    the process ends there
//   fail=ERRNO, dead=ERRNO     the call fails; it and all that follow fail
//   pause                      the call waits until the file FIEF_RECORD.go exists
//
// Plans for the first write from that call on:
//
//   kill-inside, short         half of it is done, and the process ends, or goes on
//   lose                       its pages are lost: the next synchronization of the file that ends fails with EIO, no other
//   lose-then=ERRNO            the same, and the next write to the file fails; synchronizations under way wait for that
//
// Plans for the first synchronization from that call on:
//
//   pause-sync                 it waits until the file FIEF_RECORD.go exists
//   swallow=ERRNO              it fails, as the record says, and the process is told of success
//
// FileHandle makes an interrupted write again for as long as it is interrupted, so dead=4 (EINTR) leaves writes alone.
#include "interposer.h"

#ifdef FIEF_INTERPOSES
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { descriptors = 4096, plans = 64 };

struct plan { long number; enum action action; int code; int is_done; };

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int record = -1;
static const char *root;
static size_t root_length;
static struct plan plan[plans];
static int plan_count;
static long number;
static int dead_code;
static unsigned long jitter;
static int syncs_really;
// Which watched descriptor leads to which inode; 0 is none.
static unsigned long files[descriptors];

static void read_plan(const char *text) {
  static const char *const names[] = {
    "", "kill-before", "kill-inside", "kill-after", "fail=", "dead=", "short", "lose-then=", "lose", "swallow=",
    "pause-sync", "pause"};
  while (text && *text && plan_count < plans) {
    char *end;
    struct plan next = {strtol(text, &end, 10), none, 0, 0};
    if (*end == ':') end++;
    for (int a = kill_before; a <= hold; a++) {
      size_t length = strlen(names[a]);
      if (strncmp(end, names[a], length)) continue;
      next.action = a;
      end += length;
      if (names[a][length - 1] == '=') next.code = (int)strtol(end, &end, 10);
      break;
    }
    plan[plan_count++] = next;
    text = *end == ',' ? end + 1 : NULL;
  }
}

static void begin(void) {
  root = getenv("FIEF_ROOT");
  if (!root) return;
  root_length = strlen(root);
  const char *seed = getenv("FIEF_JITTER");
  if (seed) jitter = strtoul(seed, NULL, 10) | 1;
  const char *sync = getenv("FIEF_SYNC");
  syncs_really = sync && !strcmp(sync, "really");
  read_plan(getenv("FIEF_PLAN"));
  const char *path = getenv("FIEF_RECORD");
  if (path) record = fief_real_open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

int fief_is_active(void) {
  pthread_once(&once, begin);
  return root != NULL;
}

int fief_interposer_is_active(void) { return fief_is_active(); }

int fief_syncs_really(void) { return syncs_really; }

const char *fief_watched(const char *path) {
  if (!path || !fief_is_active() || strncmp(path, root, root_length)) return NULL;
  if (!path[root_length]) return ".";
  return path[root_length] == '/' ? path + root_length + 1 : NULL;
}

unsigned long fief_file_of(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors && fief_is_active() ? files[descriptor] : 0;
}

void fief_set_file(int descriptor, unsigned long file) {
  if (descriptor >= 0 && descriptor < descriptors) files[descriptor] = file;
}

// MARK: The record
//
// A line of text for each call, and after it the bytes of a write:
//
//   NUMBER KIND RESULT ERRNO FILE OFFSET LENGTH NAME [NAME]
//
// A note of the process itself has no number, and nanoseconds of the system's clock for its offset.

static void put(const void *bytes, size_t count) {
  const char *next = bytes;
  while (count > 0) {
    ssize_t written = fief_real_write(record, next, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) abort();
    next += written;
    count -= (size_t)written;
  }
}

void fief_record(
  struct call call, const char *kind, long result, int code, unsigned long file, long offset, const void *bytes,
  size_t count, const char *name, const char *other) {
  if (record < 0) return;
  char line[16384];
  int length = snprintf(
    line, sizeof line, "%ld\t%s\t%ld\t%d\t%lu\t%ld\t%zu\t%s\t%s\n", call.number, kind, result, result < 0 ? code : 0,
    file, offset, count, name ? name : "", other ? other : "");
  if (length < 0 || length >= (int)sizeof line) abort();
  put(line, (size_t)length);
  if (count) put(bytes, count);
}

void fief_interposer_note(const char *text) {
  if (!fief_is_active()) return;
  struct call note = {0, none, 0};
  struct timespec now;
  pthread_mutex_lock(&turn);
  clock_gettime(CLOCK_MONOTONIC, &now);
  fief_record(note, "note", 0, 0, 0, now.tv_sec * 1000000000l + now.tv_nsec, NULL, 0, text, NULL);
  pthread_mutex_unlock(&turn);
}

// MARK: A call's turn

static void end_process(void) {
  // No further instruction of the process runs, and no handler.
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

static void wait_for_file(void) {
  char path[4096];
  const char *base = getenv("FIEF_RECORD");
  if (!base) return;
  LIBRARY(int, close, int);
  snprintf(path, sizeof path, "%s.paused", base);
  library_close(fief_real_open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  snprintf(path, sizeof path, "%s.go", base);
  while (access(path, F_OK)) usleep(500);
}

static void hold_up(void) {
  if (!jitter) return;
  unsigned long bits = __atomic_add_fetch(&jitter, 0x9E3779B97F4A7C15ul, __ATOMIC_RELAXED);
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ul;
  bits ^= bits >> 27;
  if (bits & 1) usleep((useconds_t)(bits >> 40 & 0x3FF));
}

static int applies(struct plan *plan, long call, enum kind kind) {
  switch (plan->action) {
    case kill_inside: case cut_short: case lose: case lose_then:
      return kind == write_call && call >= plan->number && !plan->is_done;
    case swallow: case hold_sync: return kind == sync_call && call >= plan->number && !plan->is_done;
    default: return call == plan->number;
  }
}

struct call fief_enter(enum kind kind) {
  hold_up();
  pthread_mutex_lock(&turn);
  struct call call = {++number, none, 0};
  if (dead_code) {
    call.code = dead_code;
    if (dead_code != EINTR || kind != write_call) call.action = fail;
    return call;
  }
  for (int i = 0; i < plan_count; i++) {
    if (!applies(&plan[i], call.number, kind)) continue;
    plan[i].is_done = 1;
    call.code = plan[i].code;
    call.action = plan[i].action;
    switch (call.action) {
      case kill_before: end_process(); break;
      case hold: case hold_sync:
        wait_for_file();
        call.action = none;
        break;
      case dead:
        dead_code = call.code;
        call.action = dead_code != EINTR || kind != write_call ? fail : none;
        break;
      default: break;
    }
    return call;
  }
  return call;
}

void fief_leave(struct call call) {
  if (call.action == kill_after || call.action == kill_inside) end_process();
  pthread_mutex_unlock(&turn);
}

void fief_give_way(void) {
  pthread_mutex_unlock(&turn);
  hold_up();
}

void fief_take_turn(void) {
  hold_up();
  pthread_mutex_lock(&turn);
}
#else
int fief_interposer_is_active(void) { return 0; }
void fief_interposer_note(const char *text) { (void)text; }
#endif
