// Names: given, changed, taken away.
#include "interposer.h"

#ifdef FIEF_INTERPOSES
#include <stdio.h>
#include <unistd.h>

typedef int (*change)(const char *, const char *, unsigned);

static int change_names(const char *kind, change body, const char *path, const char *other, unsigned flags) {
  struct call call = fief_enter(other_call);
  unsigned long file = fief_inode_at(path);
  int result = -1;
  if (call.action == fail) errno = call.code;
  else result = body(path, other, flags);
  int code = errno;
  fief_record(
    call, kind, result, code, file, 0, NULL, 0, fief_watched(path), other ? fief_watched(other) : NULL);
  fief_leave(call);
  errno = code;
  return result;
}

static int real_rename(const char *path, const char *other, unsigned flags) {
  LIBRARY(int, renameat2, int, const char *, int, const char *, unsigned);
  return library_renameat2(AT_FDCWD, path, AT_FDCWD, other, flags);
}

static int real_link(const char *path, const char *other, unsigned flags) {
  LIBRARY(int, linkat, int, const char *, int, const char *, int);
  return library_linkat(AT_FDCWD, path, AT_FDCWD, other, (int)flags);
}

static int real_unlink(const char *path, const char *other, unsigned flags) {
  LIBRARY(int, unlink, const char *);
  (void)other;
  (void)flags;
  return library_unlink(path);
}

int rename(const char *path, const char *other) {
  return fief_watched(path) || fief_watched(other)
    ? change_names("rename", real_rename, path, other, 0) : real_rename(path, other, 0);
}

int renameat2(int from, const char *path, int to, const char *other, unsigned flags) {
  LIBRARY(int, renameat2, int, const char *, int, const char *, unsigned);
  return fief_watched(path) || fief_watched(other)
    ? change_names("rename", real_rename, path, other, flags) : library_renameat2(from, path, to, other, flags);
}

int link(const char *path, const char *other) {
  return fief_watched(path) || fief_watched(other)
    ? change_names("link", real_link, path, other, 0) : real_link(path, other, 0);
}

int linkat(int from, const char *path, int to, const char *other, int flags) {
  LIBRARY(int, linkat, int, const char *, int, const char *, int);
  return fief_watched(path) || fief_watched(other)
    ? change_names("link", real_link, path, other, (unsigned)flags) : library_linkat(from, path, to, other, flags);
}

int unlink(const char *path) {
  return fief_watched(path) ? change_names("unlink", real_unlink, path, NULL, 0) : real_unlink(path, NULL, 0);
}

int remove(const char *path) {
  LIBRARY(int, remove, const char *);
  return fief_watched(path) ? change_names("unlink", real_unlink, path, NULL, 0) : library_remove(path);
}
#endif
