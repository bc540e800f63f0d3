// Bytes: read, written, cut off, synchronized.
#include "interposer.h"

#ifdef FIEF_INTERPOSES
#include <fcntl.h>
#include <string.h>
#include <sys/sendfile.h>
#include <time.h>
#include <unistd.h>

enum { losses = 64 };

// The inodes whose pages were lost, and what the next write to each fails with, if it does. Used by the call whose
// turn it is.
static struct loss { unsigned long file; int is_reported; int next_write; } loss[losses];
static int loss_count;

static struct loss *loss_of(unsigned long file, int is_reported) {
  for (int i = 0; i < loss_count; i++) {
    if (loss[i].file == file && loss[i].is_reported == is_reported) return &loss[i];
  }
  return NULL;
}

ssize_t fief_real_write(int descriptor, const void *bytes, size_t count) {
  LIBRARY(ssize_t, write, int, const void *, size_t);
  return library_write(descriptor, bytes, count);
}

off_t fief_real_seek(int descriptor, off_t offset, int origin) {
  LIBRARY(off_t, lseek, int, off_t, int);
  return library_lseek(descriptor, offset, origin);
}

static ssize_t write_watched(int descriptor, const void *bytes, size_t count, off_t offset, int is_at) {
  LIBRARY(ssize_t, pwrite, int, const void *, size_t, off_t);
  struct call call = fief_enter(write_call);
  unsigned long file = fief_file_of(descriptor);
  struct loss *lost = loss_of(file, 0);
  if (lost && lost->next_write) {
    call.action = fail;
    call.code = lost->next_write;
    lost->next_write = 0;
  }
  if (!is_at) {
    int flags = fcntl(descriptor, F_GETFL);
    offset = fief_real_seek(descriptor, 0, flags & O_APPEND ? SEEK_END : SEEK_CUR);
  }
  size_t part = call.action == kill_inside || call.action == cut_short ? (count + 1) / 2 : count;
  ssize_t result = -1;
  if (call.action == fail) errno = call.code;
  else result = is_at ? library_pwrite(descriptor, bytes, part, offset) : fief_real_write(descriptor, bytes, part);
  int code = errno;
  int is_lost = (call.action == lose || call.action == lose_then) && result > 0 && loss_count < losses;
  if (is_lost) {
    struct loss next = {file, 0, call.action == lose_then ? call.code : 0};
    loss[loss_count++] = next;
  }
  fief_record(
    call, is_lost ? "lost-write" : "write", result, code, file, offset, bytes, result > 0 ? (size_t)result : 0, NULL,
    NULL);
  fief_leave(call);
  errno = code;
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return fief_file_of(descriptor)
    ? write_watched(descriptor, bytes, count, 0, 0) : fief_real_write(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  LIBRARY(ssize_t, pwrite, int, const void *, size_t, off_t);
  return fief_file_of(descriptor)
    ? write_watched(descriptor, bytes, count, offset, 1) : library_pwrite(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  LIBRARY(ssize_t, pread, int, void *, size_t, off_t);
  unsigned long file = fief_file_of(descriptor);
  if (!file) return library_pread(descriptor, bytes, count, offset);
  struct call call = fief_enter(other_call);
  ssize_t result = -1;
  if (call.action == fail) errno = call.code;
  else result = library_pread(descriptor, bytes, count, offset);
  int code = errno;
  fief_record(call, "read", result, code, file, offset, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
  return pread(descriptor, bytes, count, offset);
}

off_t lseek(int descriptor, off_t offset, int origin) {
  unsigned long file = fief_file_of(descriptor);
  if (!file) return fief_real_seek(descriptor, offset, origin);
  struct call call = fief_enter(other_call);
  off_t result = -1;
  if (call.action == fail) errno = call.code;
  else result = fief_real_seek(descriptor, offset, origin);
  int code = errno;
  fief_record(call, "seek", result, code, file, offset, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

off_t lseek64(int descriptor, off_t offset, int origin) { return lseek(descriptor, offset, origin); }

// Copies by reading and writing, so that the bytes are seen.
ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  LIBRARY(ssize_t, sendfile, int, int, off_t *, size_t);
  if (!fief_file_of(to)) return library_sendfile(to, from, offset, count);
  char bytes[65536];
  if (count > sizeof bytes) count = sizeof bytes;
  ssize_t got = offset ? pread(from, bytes, count, *offset) : read(from, bytes, count);
  if (got <= 0) return got;
  ssize_t put = write(to, bytes, (size_t)got);
  if (put > 0 && offset) *offset += put;
  if (put < got && !offset) fief_real_seek(from, (put > 0 ? put : 0) - got, SEEK_CUR);
  return put;
}

int ftruncate(int descriptor, off_t length) {
  LIBRARY(int, ftruncate, int, off_t);
  unsigned long file = fief_file_of(descriptor);
  if (!file) return library_ftruncate(descriptor, length);
  struct call call = fief_enter(other_call);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = library_ftruncate(descriptor, length);
  int code = errno;
  fief_record(call, "truncate", result, code, file, length, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

int ftruncate64(int descriptor, off_t length) { return ftruncate(descriptor, length); }

// Waits, in the middle of a synchronization, until a write that is to fail has failed and what follows it was begun,
// or for the twentieth part of a second.
static void wait_for_failing_write(unsigned long file) {
  for (int i = 0; i < 100; i++) {
    fief_take_turn();
    struct loss *lost = loss_of(file, 0);
    int is_waiting = lost && lost->next_write;
    fief_give_way();
    if (!is_waiting) break;
    usleep(500);
  }
  usleep(5000);
}

// What was written before it begins is safe when it ends well. Both moments stand in the record, as other threads go
// on meanwhile. The system is asked only if FIEF_SYNC says so: otherwise power fails on paper, and no disk need be
// waited for.
static int synchronize(int descriptor, int (*library)(int)) {
  struct call call = fief_enter(sync_call);
  unsigned long file = fief_file_of(descriptor);
  struct loss *lost = loss_of(file, 0);
  int is_waiting = lost && lost->next_write;
  fief_record(call, "begin-sync", 0, 0, file, 0, NULL, 0, NULL, NULL);
  fief_give_way();
  if (is_waiting) wait_for_failing_write(file);
  int result = 0;
  int code = 0;
  if (call.action == fail || call.action == swallow) {
    result = -1;
    code = call.code;
  } else if (fief_syncs_really()) {
    result = library(descriptor);
    code = errno;
  }
  fief_take_turn();
  lost = loss_of(file, 0);
  if (lost) {
    // Reported once for each file, to whoever comes first.
    lost->is_reported = 1;
    result = -1;
    code = EIO;
  }
  fief_record(call, "sync", result, code, file, 0, NULL, 0, NULL, NULL);
  fief_leave(call);
  if (call.action == swallow) result = 0;
  if (result) errno = code;
  return result;
}

int fsync(int descriptor) {
  LIBRARY(int, fsync, int);
  return fief_file_of(descriptor) ? synchronize(descriptor, library_fsync) : library_fsync(descriptor);
}

int fdatasync(int descriptor) {
  LIBRARY(int, fdatasync, int);
  return fief_file_of(descriptor) ? synchronize(descriptor, library_fdatasync) : library_fdatasync(descriptor);
}
#endif
