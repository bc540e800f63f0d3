// Files: opened, closed, locked, looked at.
#include "interposer.h"

#ifdef FIEF_INTERPOSES
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int fief_real_open(const char *path, int flags, mode_t mode) {
  LIBRARY(int, open, const char *, int, ...);
  return library_open(path, flags, mode);
}

static int real_stat(const char *path, void *facts, int flags) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, facts, flags);
}

int fief_real_fstat(int descriptor, void *facts) { return (int)syscall(SYS_fstat, descriptor, facts); }

unsigned long fief_inode_at(const char *path) {
  struct stat facts;
  return real_stat(path, &facts, AT_SYMLINK_NOFOLLOW) ? 0 : facts.st_ino;
}

static void remember(int descriptor) {
  struct stat facts;
  if (descriptor >= 0 && !fief_real_fstat(descriptor, &facts)) fief_set_file(descriptor, facts.st_ino);
}

static int open_watched(const char *path, int flags, mode_t mode, const char *name) {
  struct call call = fief_enter(other_call);
  unsigned long before = fief_inode_at(path);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = fief_real_open(path, flags, mode);
  int code = errno;
  remember(result);
  const char *kind = result >= 0 && !before ? "create" : "open";
  if (result >= 0 && before && flags & O_TRUNC && (flags & O_ACCMODE) != O_RDONLY) kind = "empty";
  fief_record(call, kind, result, code, fief_file_of(result), 0, NULL, 0, name, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  const char *name = fief_watched(path);
  return name ? open_watched(path, flags, mode, name) : fief_real_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & (O_CREAT | O_TMPFILE)) {
    va_list rest;
    va_start(rest, flags);
    mode = (mode_t)va_arg(rest, int);
    va_end(rest);
  }
  const char *name = fief_watched(path);
  return name ? open_watched(path, flags, mode, name) : fief_real_open(path, flags, mode);
}

int close(int descriptor) {
  LIBRARY(int, close, int);
  if (!fief_file_of(descriptor)) return library_close(descriptor);
  struct call call = fief_enter(other_call);
  unsigned long file = fief_file_of(descriptor);
  fief_set_file(descriptor, 0);
  int result = library_close(descriptor);
  // As on Linux: whatever close says, the descriptor is gone.
  if (call.action == fail) {
    errno = call.code;
    result = -1;
  }
  int code = errno;
  fief_record(call, "close", result, code, file, 0, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

static int locks_are_free(void) {
  const char *locks = getenv("FIEF_LOCKS");
  return locks && !strcmp(locks, "free");
}

int flock(int descriptor, int operation) {
  LIBRARY(int, flock, int, int);
  if (!fief_file_of(descriptor)) return library_flock(descriptor, operation);
  struct call call = fief_enter(other_call);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = locks_are_free() ? 0 : library_flock(descriptor, operation);
  int code = errno;
  fief_record(call, "lock", result, code, fief_file_of(descriptor), operation, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

// F_OFD_SETLK, which takes a lock of bytes that belongs to an opening.
enum { set_opening_lock = 37 };

static int control(int descriptor, int command, void *argument) {
  LIBRARY(int, fcntl, int, int, ...);
  if (command != set_opening_lock || !fief_file_of(descriptor)) return library_fcntl(descriptor, command, argument);
  struct call call = fief_enter(other_call);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = locks_are_free() ? 0 : library_fcntl(descriptor, command, argument);
  int code = errno;
  struct flock *range = argument;
  fief_record(
    call, "lock-bytes", result, code, fief_file_of(descriptor), range->l_start, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

// An argument is a number or a pointer, which are passed alike.
int fcntl(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return control(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  return control(descriptor, command, argument);
}

static int look(const char *path, struct stat *facts, int flags) {
  const char *name = fief_watched(path);
  if (!name) return real_stat(path, facts, flags);
  struct call call = fief_enter(other_call);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = real_stat(path, facts, flags);
  int code = errno;
  fief_record(call, "look", result, code, result ? 0 : facts->st_ino, 0, NULL, 0, name, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

int stat(const char *path, struct stat *facts) { return look(path, facts, 0); }

int stat64(const char *path, struct stat64 *facts) { return look(path, (struct stat *)facts, 0); }

int lstat(const char *path, struct stat *facts) { return look(path, facts, AT_SYMLINK_NOFOLLOW); }

int lstat64(const char *path, struct stat64 *facts) { return look(path, (struct stat *)facts, AT_SYMLINK_NOFOLLOW); }

int fstat(int descriptor, struct stat *facts) {
  unsigned long file = fief_file_of(descriptor);
  if (!file) return fief_real_fstat(descriptor, facts);
  struct call call = fief_enter(other_call);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = fief_real_fstat(descriptor, facts);
  int code = errno;
  fief_record(call, "look", result, code, file, 0, NULL, 0, NULL, NULL);
  fief_leave(call);
  errno = code;
  return result;
}

int fstat64(int descriptor, struct stat64 *facts) { return fstat(descriptor, (struct stat *)facts); }
#endif
