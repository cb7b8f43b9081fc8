// The node zygote, one section per file. zygote.c → {threads.c, descriptors.c, random.c} → warm/runtime.h.
#ifndef ASSAY_NODE_H
#define ASSAY_NODE_H

/* threads.c */

/// Waits until all threads but the calling one are at rest, and ends them where they stand. Their stacks stay. Dies when
/// there is one that cannot be brought back.
void threads_park(void);
/// How many these are.
unsigned threads_parked(void);
/// In a fork: makes them anew, each where it stood. Dies by step_failed.
void threads_revive(int status_fd);

/* descriptors.c */

/// Notes the interpreter's own descriptors. Dies when there is one that a fork cannot have for itself.
void descriptors_note(int status_fd);
/// In a fork: puts a new one of the same kind and content in the place of each, because a fork shares them with the
/// runtime. Dies by step_failed.
void descriptors_renew(int status_fd);

/* random.c */

/// Finds the interpreter's generators of random numbers. Dies where it has others.
void random_find(void);
/// In a fork that has its threads: seeds them anew. Dies by step_failed.
void random_renew(int status_fd);

#endif
