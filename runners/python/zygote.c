// The Python zygote: preloaded into an unmodified interpreter that was started like any run's (same arguments, same
// environment, pipes as 0, 1, 2), it stops the interpreter where that opens the main file: everything a fresh
// interpreter does before its program is then done, with no frame of ours on Python's stack. There it imports the
// usual modules, freezes the heap, and forks one child per request (warm/runtime.c).

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../warm/runtime.h"
#include "interpreter.h"
#include "python.h"

#define SETTING_IMPORTS "ASSAY_WARM_IMPORTS" // modules to import, separated by commas
#define SETTING_PRELOAD "ASSAY_WARM_PRELOAD" // paths of modules to hold for runs that ask for them, separated by commas

static char *imports, *preload;

__attribute__((constructor)) static void take_settings(int argc, char **argv, char **envp)
{
	if (!runtime_start(argc, argv, envp))
		return;
	imports = runtime_setting(SETTING_IMPORTS);
	preload = runtime_setting(SETTING_PRELOAD);
}

// Variables that the interpreter or a C library has read before the fork.
static bool read_at_start(const char *variable)
{
	static const char *const prefixes[] = { "PYTHON", "LC_",	"LANG",	 "TZ=",	     "LD_",
						"MALLOC_", "GLIBC_", "OMP_", "OPENBLAS_", "MKL_" };
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (!strncmp(variable, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static bool contains(char *const *list, const char *text)
{
	for (; *list; list++)
		if (!strcmp(*list, text))
			return true;
	return false;
}

static bool differs_at_start(char *const *list, char *const *from)
{
	for (; *list; list++)
		if (read_at_start(*list) && !contains(from, *list))
			return true;
	return false;
}

// Whether a fresh interpreter would start as this one did.
static bool is_like_fresh(void)
{
	if (request.argc < started.argc || !same_texts(request.argv, started.argv, started.argc))
		return false;
	if (!same_environment() &&
	    (differs_at_start(request.envp, started.env) || differs_at_start(started.env, request.envp)))
		return false;
	return !interpreter_is_shadowed("/work");
}

static bool adopt(void)
{
	if (!is_like_fresh())
		return false;
	PyOS_AfterFork_Child();
	return interpreter_prepare(started.argv[1], request.argc == started.argc ? NULL : request.argv,
				   same_environment() ? NULL : request.envp);
}

static const struct runtime python = {
	.status_fd = 3,
	.before_fork = PyOS_BeforeFork,
	.after_fork = PyOS_AfterFork_Parent,
	.adopt = adopt,
};

static _Noreturn void serve(void)
{
	(void)PyGILState_Ensure();
	runtime_open();
	interpreter_warm_up(imports, preload);
	runtime_serve(&python);
	interpreter_run();
}

// Since 3.9 the interpreter makes the path of its main file absolute.
static bool is_main_file(const char *path)
{
	const char *name = started.argv[1];
	char absolute[512];
	if (!name || !strcmp(path, name))
		return name != NULL;
	char *folder = getcwd(NULL, 0);
	int length = folder ? snprintf(absolute, sizeof absolute, "%s/%s", folder, name) : -1;
	free(folder);
	return length > 0 && (size_t)length < sizeof absolute && !strcmp(path, absolute);
}

static FILE *open_file(const char *symbol, const char *path, const char *mode)
{
	FILE *(*real)(const char *, const char *) = NULL;
	*(void **)&real = dlsym(RTLD_NEXT, symbol);
	if (!real)
		abort();
	static bool serving;
	if (runtime_started() && !serving && is_main_file(path)) {
		serving = true;
		serve();
	}
	return real(path, mode);
}

// The interpreter opens its main file by one of these, and no other file of that name before.
__attribute__((visibility("default"))) FILE *fopen(const char *restrict path, const char *restrict mode)
{
	return open_file("fopen", path, mode);
}

__attribute__((visibility("default"))) FILE *fopen64(const char *restrict path, const char *restrict mode)
{
	return open_file("fopen64", path, mode);
}
