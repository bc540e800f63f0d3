#ifndef FIEF_INTERPOSER_H
#define FIEF_INTERPOSER_H

/// Writes a line of the program's own into the record, in its place between the calls.
void fief_interposer_note(const char *_Nonnull text);

/// Whether the calls of this process are recorded.
int fief_interposer_is_active(void);

#endif
