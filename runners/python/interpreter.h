// What the zygote asks of its interpreter. Every call needs the GIL.
#ifndef ASSAY_INTERPRETER_H
#define ASSAY_INTERPRETER_H

#include <stdbool.h>

/// Imports the modules (separated by commas; the text is changed) and freezes the heap.
void interpreter_warm_up(char *imports);
/// Whether a file in the folder is named like a module that is imported already: it would have been found first.
bool interpreter_is_shadowed(const char *folder);
/// In a child: everything before the main file's first line. `argv` is the whole command and `env` the environment where
/// they differ from the zygote's, else NULL. False where that failed: the process is then good for an exec only.
bool interpreter_prepare(const char *name, char *const *argv, char *const *env);
/// After that: runs the main file as the interpreter itself would, and ends the process with its exit code.
_Noreturn void interpreter_run(void);

#endif
