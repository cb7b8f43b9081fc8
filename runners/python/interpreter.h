// What the zygote asks of its interpreter. Every call needs the GIL.
#ifndef ASSAY_INTERPRETER_H
#define ASSAY_INTERPRETER_H

#include <stdbool.h>

/// The first line of a main file whose whole work is to load the preloaded modules and to call `main` of the last one. A
/// fork has them loaded and calls it at once.
#define PRELOADED_LINE "# assay: loads the modules of a judgement in two jails, and calls main of the last one\n"

/// Imports the modules (separated by commas; the text is changed), loads those of the paths without their names being
/// known to programs, and freezes the heap.
void interpreter_warm_up(char *imports, const char *preload);
/// Whether a file in the folder is named like a module that is imported already: it would have been found first.
bool interpreter_is_shadowed(const char *folder);
/// In a child: everything before the main file's first line. `argv` is the whole command and `env` the environment where
/// they differ from the zygote's, else NULL. False where that failed: the process is then good for an exec only.
bool interpreter_prepare(const char *name, char *const *argv, char *const *env);
/// After that: runs the main file as the interpreter itself would, and ends the process with its exit code.
_Noreturn void interpreter_run(void);

#endif
