// What all warm runtimes share: a library that is preloaded into an unmodified interpreter, stops it where its program
// would begin, and from then on forks one program per request of the supervisor (common/warm.h). What an interpreter needs
// besides is the library's own (python/, node/).
#ifndef ASSAY_RUNTIME_H
#define ASSAY_RUNTIME_H

#include <stdbool.h>

#include "../supervisor/supervisor.h"

/// What an interpreter adds. Without `before_fork` and `after_fork` nothing is done there.
struct runtime {
	/// Where a child keeps the status pipe until the program begins; what lies above is closed.
	int status_fd;
	void (*before_fork)(void);
	/// In the runtime.
	void (*after_fork)(void);
	/// In a child that has everything of a program's process: goes on as the program, or says by false that a fresh
	/// interpreter would start otherwise, and the command is executed. Dies by step_failed on the status pipe.
	bool (*adopt)(void);
};

/// How the interpreter itself was started, without the settings of the supervisor.
struct started {
	int argc;
	char **argv, **env;
};
extern struct started started;
/// The request that is being carried out.
extern struct request request;

/// To be called by a constructor of the library: whether the supervisor started this interpreter.
bool runtime_start(int argc, char **argv, char **envp);
/// Whether the interpreter is about to be stopped, or was.
bool runtime_started(void);
/// A setting of the environment, copied, "" where there is none; gone from the environment afterwards.
char *runtime_setting(const char *name);
/// Whether a descriptor is the supervisor's, and not the interpreter's.
bool runtime_owns(int fd);
/// Takes what a fork has to keep up from the calling thread, which has to be the one that serves. Dies where the kernel
/// lacks something.
void runtime_open(void);
/// Says that it is ready, and forks programs until the supervisor leaves. Returns in a program.
void runtime_serve(const struct runtime *r);

/// Whether the first `count` texts are the same.
bool same_texts(char *const *a, char *const *b, int count);
/// Whether the request's environment is the runtime's, in the same order.
bool same_environment(void);

#endif
