// A fork has the calling thread alone, and Node has six more when it comes to its main file: V8's workers, the timer of
// delayed tasks, one that waits for SIGUSR1. All of them wait for work then. Each is stopped by a signal whose handler
// saves where it stands and ends the thread; its stack and its thread-local memory stay, for the C library does not know.
// In a fork a new thread gets both, jumps back into the handler, and returns from it into what it waited for.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../supervisor/raw.h"
#include "../warm/runtime.h"
#include "node.h"

// The C library never lets a thread block this one (its own use is setuid, which nobody calls here).
enum { PARK_SIGNAL = 33 };
enum { THREADS_MAX = 32, JUMP_STACK_BYTES = 4096, SIGSET_BYTES = 8, RSEQ_BYTES_MIN = 32 };
enum { CALM_LOOKS = 3, LOOKS_MAX = 1000, LOOK_NS = 2000000 };
// What the C library registers restartable sequences with.
#if defined __x86_64__
enum { RSEQ_SIGNATURE = 0x53053053 };
#else
enum { RSEQ_SIGNATURE = (int)0xd428bc00 };
#endif

struct parked {
	jmp_buf at;
	void *tls;
	int *tid;
	struct robust_list_head *robust;
	size_t robust_size;
	_Alignas(16) char stack[JUMP_STACK_BYTES]; // for the jump
};
static struct parked parked[THREADS_MAX];
static _Atomic int parked_count;

// glibc ≥ 2.35.
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static void park(int signal)
{
	(void)signal;
	struct parked *const t = &parked[atomic_fetch_add(&parked_count, 1)];
	t->tls = __builtin_thread_pointer();
	if (raw(SYS_prctl, PR_GET_TID_ADDRESS, &t->tid) < 0 || raw(SYS_get_robust_list, 0, &t->robust, &t->robust_size) < 0)
		raw_exit(1);
	if (_setjmp(t->at) == 0)
		for (;;)
			(void)raw(SYS_exit, 0);
}

// The kernel's own structure; the C library keeps the signal to itself.
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static void set_action(const struct kernel_action *next, struct kernel_action *last)
{
	if (raw(SYS_rt_sigaction, PARK_SIGNAL, next, last, SIGSET_BYTES) < 0)
		die(ERROR_ASSERTION, "action of the parking signal");
}

// The C library knows how a handler returns; it tells by way of another signal.
static struct kernel_action parking(void)
{
	struct kernel_action action;
	struct sigaction wanted = { .sa_handler = park, .sa_flags = SA_RESTART }, last;
	sigfillset(&wanted.sa_mask);
	if (sigaction(SIGUSR2, &wanted, &last) < 0 || raw(SYS_rt_sigaction, SIGUSR2, NULL, &action, SIGSET_BYTES) < 0 ||
	    sigaction(SIGUSR2, &last, NULL) < 0)
		die(ERROR_SYSCALL, "sigaction");
	return action;
}

static int list_others(pid_t others[THREADS_MAX])
{
	DIR *tasks = opendir("/proc/self/task");
	if (!tasks)
		die(ERROR_SYSCALL, "threads of the interpreter");
	int count = 0;
	for (const struct dirent *e; (e = readdir(tasks));) {
		pid_t tid = (pid_t)atoi(e->d_name);
		if (tid == 0 || tid == getpid())
			continue;
		if (count == THREADS_MAX)
			die(ERROR_ASSERTION, "more than %d threads", THREADS_MAX);
		others[count++] = tid;
	}
	closedir(tasks);
	return count;
}

static bool sleeps(pid_t tid)
{
	char path[64], text[512];
	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = 0;
	const char *end = strrchr(text, ')');
	return end && !strncmp(end, ") S", 3);
}

static void look_later(void)
{
	const struct timespec t = { .tv_nsec = LOOK_NS };
	(void)nanosleep(&t, NULL);
}

// A thread could be brought back from anywhere; one that waits holds no lock that the way to a program needs.
static int await_calm(pid_t others[THREADS_MAX])
{
	int count = list_others(others);
	for (int calm = 0, looks = 0; calm < CALM_LOOKS; calm++, looks++) {
		if (looks == LOOKS_MAX)
			die(ERROR_ASSERTION, "the interpreter's threads do not come to rest");
		look_later();
		count = list_others(others);
		for (int i = 0; i < count; i++)
			if (!sleeps(others[i]))
				calm = -1;
	}
	return count;
}

void threads_park(void)
{
	pid_t others[THREADS_MAX];
	int count = await_calm(others);
	struct kernel_action last;
	const struct kernel_action action = parking();
	set_action(&action, &last);
	for (int i = 0; i < count; i++)
		if (raw(SYS_tgkill, getpid(), others[i], PARK_SIGNAL) < 0)
			die(ERROR_ASSERTION, "parking a thread");
	for (int looks = 0; list_others(others); looks++) {
		if (looks == LOOKS_MAX)
			die(ERROR_ASSERTION, "a thread does not park");
		look_later();
	}
	set_action(&last, NULL);
	if (parked_count != count)
		die(ERROR_ASSERTION, "%d of %d threads are parked", parked_count, count);
}

unsigned threads_parked(void)
{
	return (unsigned)parked_count;
}

static void come_back(const void *thread)
{
	const struct parked *t = thread;
	(void)raw(SYS_set_robust_list, t->robust, t->robust_size);
	if (&__rseq_size && __rseq_size) {
		unsigned size = __rseq_size < RSEQ_BYTES_MIN ? RSEQ_BYTES_MIN : __rseq_size;
		(void)raw(SYS_rseq, (char *)t->tls + __rseq_offset, size, 0, RSEQ_SIGNATURE);
	}
	_longjmp((struct __jmp_buf_tag *)(uintptr_t)t->at, 1);
}

void threads_revive(int status_fd)
{
	const unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
				    CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
	for (int i = 0; i < parked_count; i++) {
		const struct parked *t = &parked[i];
		// clone3 is not for programs, and this is one by now.
		const long arguments[5] = { (long)flags, RAW_ARG(t->stack + sizeof t->stack), RAW_ARG(t->tid),
					    RAW_CLONE_TAIL(t->tid, t->tls) };
		must_step(status_fd, STEP_THREAD, raw_spawn(SYS_clone, arguments, come_back, t));
	}
}
