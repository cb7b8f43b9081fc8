// The node zygote: preloaded into an unmodified Node that was started like any run's, it stops Node where that is about to
// read from its work folder: everything before is then done, the boot of V8 and of Node's own modules above all. Before,
// Node looks whether its main file is there, and what that is; it is told of a plain file, which a run's has to be. There
// Node's threads are parked and one child is forked per request (warm/runtime.c), which gets threads, descriptors and
// random numbers of its own again.

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../supervisor/raw.h"
#include "../warm/runtime.h"
#include "node.h"

// Above all that Node has open when it comes to its main file, and below what a run may not exceed.
enum { STATUS_FD = 60 };

static bool served, forked;
static char folder[512], main_file[512];

// Nothing that Node has looked at may differ: it keeps its arguments, and much of the environment (HOME, TZ, NODE_*).
static bool is_like_fresh(void)
{
	struct stat main;
	if (lstat(main_file, &main) < 0 || !S_ISREG(main.st_mode) || request.processes <= threads_parked())
		return false;
	return request.argc == started.argc && same_texts(request.argv, started.argv, started.argc) && same_environment();
}

static bool adopt(void)
{
	if (!is_like_fresh())
		return false;
	forked = true;
	descriptors_renew(STATUS_FD);
	threads_revive(STATUS_FD);
	random_renew(STATUS_FD);
	return true;
}

static const struct runtime node = { .status_fd = STATUS_FD, .adopt = adopt };

// A fork would share it with the runtime.
static void require_private_memory(void)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "re");
	if (!maps)
		die(ERROR_SYSCALL, "mappings of the interpreter");
	while (fgets(line, sizeof line, maps)) {
		const char *rights = strchr(line, ' ');
		if (rights && rights[2] == 'w' && rights[4] == 's')
			die(ERROR_ASSERTION, "the interpreter has shared memory: %s", line);
	}
	fclose(maps);
}

static void serve(void)
{
	served = true;
	runtime_open();
	random_find();
	threads_park();
	descriptors_note(STATUS_FD);
	require_private_memory();
	runtime_serve(&node);
}

__attribute__((constructor)) static void take_settings(int argc, char **argv, char **envp)
{
	if (!runtime_start(argc, argv, envp))
		return;
	free(runtime_setting("ASSAY_WARM_IMPORTS"));
	free(runtime_setting("ASSAY_WARM_PRELOAD"));
	if (!getcwd(folder, sizeof folder))
		abort();
	int length = snprintf(main_file, sizeof main_file, "%s/%s", folder, argv[argc - 1]);
	if (length < 0 || (size_t)length >= sizeof main_file)
		abort();
}

static bool holds(void)
{
	return runtime_started() && !served;
}

static bool is_in_folder(const char *path)
{
	const size_t length = strlen(folder);
	return !strncmp(path, folder, length) && path[length] == '/';
}

static void open_next(const char *path)
{
	if (holds() && is_in_folder(path))
		serve();
}

// Whether the look is answered here. Node looks through links once to find its main file; with modules to import before
// (--import) it looks so again when those are loaded.
static bool look_next(const char *path, int flags, struct statx *out)
{
	static int looks;
	if (!holds() || strcmp(path, main_file))
		return false;
	if (!(flags & AT_SYMLINK_NOFOLLOW) && ++looks > 1) {
		serve();
		return false;
	}
	*out = (struct statx){ .stx_mask = STATX_BASIC_STATS, .stx_nlink = 1, .stx_mode = S_IFREG | 0644 };
	return true;
}

// libuv asks for statx by number.
__attribute__((visibility("default"))) long syscall(long number, ...)
{
	va_list list;
	long a[6];
	va_start(list, number);
	for (size_t i = 0; i < sizeof a / sizeof a[0]; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_statx && look_next((const char *)a[1], (int)a[2], (struct statx *)a[4]))
		return 0;
	static long (*real)(long, ...);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "syscall");
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static int open_file(const char *path, int flags, mode_t mode)
{
	open_next(path);
	long fd = raw(SYS_openat, AT_FDCWD, path, flags, mode);
	if (fd >= 0)
		return (int)fd;
	errno = (int)-fd;
	return -1;
}

#define MODE_OF(flags, list) (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0)

__attribute__((visibility("default"))) int open(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = MODE_OF(flags, list);
	va_end(list);
	return open_file(path, flags, mode);
}

__attribute__((visibility("default"))) int open64(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = MODE_OF(flags, list);
	va_end(list);
	return open_file(path, flags | O_LARGEFILE, mode);
}

// V8 keeps its heap from forks, because what forks usually executes something else.
__attribute__((visibility("default"))) int madvise(void *address, size_t length, int advice)
{
	if (advice == MADV_DONTFORK && runtime_started() && !forked)
		return 0;
	long result = raw(SYS_madvise, address, length, advice);
	if (result == 0)
		return 0;
	errno = (int)-result;
	return -1;
}
