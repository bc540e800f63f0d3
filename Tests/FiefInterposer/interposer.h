// What the files of the interposer share; `plan.c` says what it is for.
#ifndef INTERPOSER_PRIVATE_H
#define INTERPOSER_PRIVATE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "FiefInterposer.h"

// Where it does anything: other C libraries have other names for these calls.
#ifdef __linux__
#include <features.h>
#ifdef __GLIBC__
#define FIEF_INTERPOSES 1
#endif
#endif

#ifdef FIEF_INTERPOSES
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/types.h>

// The definition of a function in the C library, which one of the same name here stands in front of.
#define LIBRARY(result, name, ...)                                   \
  static result (*library_##name)(__VA_ARGS__);                      \
  if (!library_##name) library_##name = dlsym(RTLD_NEXT, #name)

enum action {
  none, kill_before, kill_inside, kill_after, fail, dead, cut_short, lose_then, lose, swallow, hold_sync,
  hold
};

// What a call does, as far as plans distinguish calls by that.
enum kind { other_call, write_call, sync_call };

// A watched call under way.
struct call { long number; enum action action; int code; };

int fief_is_active(void);

// The name of a watched path within the folder; NULL for all other paths. The folder itself is ".".
const char *fief_watched(const char *path);

// The inode that a watched descriptor leads to; 0 for all other descriptors.
unsigned long fief_file_of(int descriptor);
void fief_set_file(int descriptor, unsigned long file);

// Begins a watched call: waits for its turn, numbers it, and says what happens to it.
struct call fief_enter(enum kind kind);
// Ends it.
void fief_leave(struct call call);
// Lets other calls come between the two halves of one.
void fief_give_way(void);
void fief_take_turn(void);

// Writes a line into the record, and after it the bytes.
void fief_record(
  struct call call, const char *kind, long result, int code, unsigned long file, long offset, const void *bytes,
  size_t count, const char *name, const char *other);

int fief_real_open(const char *path, int flags, mode_t mode);
ssize_t fief_real_write(int descriptor, const void *bytes, size_t count);
off_t fief_real_seek(int descriptor, off_t offset, int origin);
int fief_real_fstat(int descriptor, void *facts);
// The inode at a path; 0 when there is nothing.
unsigned long fief_inode_at(const char *path);
int fief_syncs_really(void);
#endif
#endif
