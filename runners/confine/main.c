// Becomes a warm runtime: `confine PROGRAM ARG…` takes away what a program of a run has not either, and executes it as
// PID 1 of a jail of its own. nsjail has dropped the capabilities and the uid; the filter is the one of runs, and a
// second one for what a runtime that starts no process and opens no connection never needs.

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../supervisor/supervisor.h"

// Threads get the stack of this limit (pthread_attr_init(3)). V8 gives a program's main thread 984 KiB; isolates keep
// 24 KiB of theirs back. A little less, so that what fits here fits there.
enum { STACK_BYTES = (984 + 24 - 8) * 1024 };

_Noreturn void die(enum error_code code, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	fputs("confine: ", stderr);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, code == ERROR_SYSCALL ? ": %s\n" : "\n", strerror(errno));
	_exit(1);
}

static void must(int result, const char *what)
{
	if (result < 0)
		die(ERROR_SYSCALL, "%s", what);
}

static void must_load(long result)
{
	errno = (int)-result;
	must(result < 0 ? -1 : 0, "seccomp");
}

static void limit(__rlimit_resource_t what, rlim_t value)
{
	const struct rlimit r = { value, value };
	must(setrlimit(what, &r), "setrlimit");
}

// fork, vfork and clone without CLONE_THREAD make processes; socket makes a way out, had the jail one.
static int load_runtime_filter(void)
{
	const uint32_t number = offsetof(struct seccomp_data, nr), flags = offsetof(struct seccomp_data, args[0]);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, number),
#ifdef SYS_fork
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fork, 6, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_vfork, 5, 0),
#else
		BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0),
		BPF_JUMP(BPF_JMP | BPF_JA, 0, 0, 0),
#endif
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, flags),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	const struct sock_fprog program = { .len = sizeof code / sizeof code[0], .filter = code };
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		die(ERROR_ASSERTION, "usage: confine PROGRAM ARG…");
	limit(RLIMIT_STACK, STACK_BYTES);
	limit(RLIMIT_CORE, 0);
	// It writes no file at all.
	limit(RLIMIT_FSIZE, 0);
	limit(RLIMIT_NOFILE, 256);
	must((int)syscall(SYS_close_range, 3, ~0u, 0), "close_range");
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
	// Neither its memory nor its /proc entries are open to others of its uid.
	must(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "dumpable");
	seccomp_build();
	must_load(seccomp_load_jail());
	must_load(seccomp_load_run());
	must(load_runtime_filter(), "seccomp");
	char *const environment[] = { "TZ=UTC", "LANG=C.UTF-8", NULL };
	execve(argv[1], argv + 1, environment);
	die(ERROR_SYSCALL, "%s", argv[1]);
}
