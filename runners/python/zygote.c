// The Python zygote: preloaded into an unmodified interpreter that was started like any run's (same arguments, same
// environment, pipes as 0, 1, 2), it stops the interpreter where that opens the main file: everything a fresh
// interpreter does before its program is then done, with no frame of ours on Python's stack. There it imports the
// usual modules, freezes the heap, and forks one child per request.
// A child that finds that a fresh interpreter would behave otherwise becomes one, by exec.

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../common/warm.h"
#include "../supervisor/supervisor.h"
#include "interpreter.h"
#include "python.h"

enum { STATUS_FD = 3, AT_RANDOM_BYTES = 16 };

// What the supervisor passes in the environment; taken out of it before the interpreter looks.
#define SETTING_CHANNEL "ASSAY_WARM_CHANNEL" // descriptor of the socket
#define SETTING_GROUP "ASSAY_WARM_GROUP" // descriptor of the runs' cgroup, −1 without
#define SETTING_IMPORTS "ASSAY_WARM_IMPORTS" // modules to import, separated by commas
#define SETTING_PRELOAD "ASSAY_WARM_PRELOAD" // paths of modules to hold for runs that ask for them, separated by commas

static int channel = -1;
static int group = -1;
static char *imports, *preload;
static char **own_argv, **own_env;
static int own_argc;
// What the C library registers with the kernel for its thread, and a fork of our own has to keep up.
static int *tid_address;
static struct robust_list_head *robust_head;
static size_t robust_size;
static int32_t pinned = -1;

static struct {
	struct warm_request head;
	uint8_t payload[WARM_PAYLOAD_MAX];
} message;
static struct request request;
static uint32_t limits_by_cgroup;

/* What the shared code of the supervisor needs */

_Noreturn void die(enum error_code code, const char *format, ...)
{
	int error = errno;
	struct {
		struct warm_answer head;
		char text[WARM_TEXT_MAX];
	} failed = { .head = { .kind = WARM_FAILED, .pid = -error } };
	va_list list;
	va_start(list, format);
	vsnprintf(failed.text, sizeof failed.text, format, list);
	va_end(list);
	if (code == ERROR_SYSCALL) {
		size_t length = strlen(failed.text);
		snprintf(failed.text + length, sizeof failed.text - length, ": %s", strerror(error));
	}
	(void)!send(channel, &failed, sizeof failed.head + strlen(failed.text), MSG_NOSIGNAL);
	_exit(1);
}

bool cgroup_has(enum cgroup_file file)
{
	return (file == CG_MEMORY_LIMIT && (limits_by_cgroup & WARM_MEMORY)) ||
	       (file == CG_PIDS_LIMIT && (limits_by_cgroup & WARM_PIDS));
}

/* Start */

static int take_number(const char *name)
{
	const char *text = getenv(name);
	int number = text ? atoi(text) : -1;
	unsetenv(name);
	return number;
}

__attribute__((constructor)) static void take_settings(int argc, char **argv, char **envp)
{
	const char *text = getenv(SETTING_IMPORTS), *paths = getenv(SETTING_PRELOAD);
	if (!getenv(SETTING_CHANNEL))
		return;
	imports = strdup(text ? text : "");
	preload = strdup(paths ? paths : "");
	if (!imports || !preload)
		abort();
	channel = take_number(SETTING_CHANNEL);
	group = take_number(SETTING_GROUP);
	unsetenv(SETTING_IMPORTS);
	unsetenv(SETTING_PRELOAD);
	unsetenv("LD_PRELOAD");
	own_argc = argc;
	own_argv = argv;
	own_env = envp;
}

/* Requests */

static void close_all(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++)
		close(fds[i]);
}

// Waits for a request. Exits when the supervisor has left.
static void receive(int fds[WARM_FDS])
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(WARM_FDS * sizeof(int))];
	} control;
	struct iovec data = { .iov_base = &message, .iov_len = sizeof message };
	struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
	ssize_t n;
	do
		n = recvmsg(channel, &m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		_exit(0);
	const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	if ((size_t)n < sizeof message.head || !c || c->cmsg_len != CMSG_LEN(WARM_FDS * sizeof(int)))
		die(ERROR_ASSERTION, "a request without its descriptors");
	memcpy(fds, CMSG_DATA(c), WARM_FDS * sizeof(int));
	const char *wrong = request_parse(message.payload, (size_t)n - sizeof message.head, &request);
	if (wrong)
		die(ERROR_ASSERTION, "%s", wrong);
	limits_by_cgroup = message.head.limits_by_cgroup;
}

// The zygote goes to the run's core itself, as the supervisor does, so that its children start there.
static void pin(int32_t cpu)
{
	static cpu_set_t all;
	static bool known;
	if (!known && sched_getaffinity(0, sizeof all, &all) < 0)
		die(ERROR_SYSCALL, "sched_getaffinity");
	known = true;
	if (cpu == pinned)
		return;
	cpu_set_t set = all;
	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)cpu, &set);
	}
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		die(ERROR_SYSCALL, "pinning to core %d", cpu);
	pinned = cpu;
}

// A child of the supervisor, as PID 1's child in the init's namespace of processes. Returns as fork does, or −errno.
// The C library's fork cannot do this; what it would do beside is to note the thread id, which the kernel does here, and
// to register the list of robust mutexes.
static pid_t fork_into(int init)
{
	if (setns(init, CLONE_NEWPID) < 0)
		return -errno;
	struct clone_args a = {
		.flags = CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
		.child_tid = (uint64_t)(uintptr_t)tid_address,
	};
	if (group >= 0) {
		a.flags |= CLONE_INTO_CGROUP;
		a.cgroup = (__u64)group;
	}
	long pid = syscall(SYS_clone3, &a, sizeof a);
	return pid < 0 ? (pid_t)-errno : (pid_t)pid;
}

static void answer(uint32_t kind, pid_t pid)
{
	const struct warm_answer a = { .kind = kind, .pid = pid };
	if (send(channel, &a, sizeof a, MSG_NOSIGNAL) < 0)
		_exit(0);
}

/* The child */

// The run's proc is read-only, so this is done in the jail's.
static void offer_to_oom_killer(int status)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "1000", 4) != 4)
		step_failed(status, STEP_OOM_SCORE, -errno);
	close(fd);
}

static void take_descriptors(const int fds[WARM_FDS])
{
	int high[WARM_FDS];
	// Above all targets first, because each may have any number above 2.
	for (int i = 1; i < WARM_FDS; i++)
		high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 32);
	if (dup2(high[1], 0) < 0 || dup2(high[2], 1) < 0 || dup2(high[3], 2) < 0 || dup3(high[4], STATUS_FD, O_CLOEXEC) < 0 ||
	    syscall(SYS_close_range, STATUS_FD + 1, ~0u, 0) < 0)
		step_failed(fds[4], STEP_DESCRIPTORS, -errno);
}

static bool same_text(char *const *a, char *const *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!a[i] || !b[i] || strcmp(a[i], b[i]))
			return false;
	return true;
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

static bool same_environment(void)
{
	int count = 0;
	while (own_env[count])
		count++;
	return count == request.envc && same_text(own_env, request.envp, count);
}

// Whether a fresh interpreter would start as this one did.
static bool is_like_fresh(void)
{
	if (request.argc < own_argc || !same_text(request.argv, own_argv, own_argc))
		return false;
	if (!same_environment() &&
	    (differs_at_start(request.envp, own_env) || differs_at_start(own_env, request.envp)))
		return false;
	return !interpreter_is_shadowed("/work");
}

// The C library takes the size of threads' stacks from the limit at exec; this is what it does with it.
static void set_thread_stacks(void)
{
	const size_t page = 4096, least = (size_t)PTHREAD_STACK_MIN;
	struct rlimit stack;
	pthread_attr_t attributes;
	if (getrlimit(RLIMIT_STACK, &stack) < 0)
		step_failed(STATUS_FD, STEP_THREAD, -errno);
	size_t size = stack.rlim_cur < least ? least : stack.rlim_cur;
	errno = pthread_getattr_default_np(&attributes);
	if (!errno)
		errno = pthread_attr_setstacksize(&attributes, (size + page - 1) & -page);
	if (!errno)
		errno = pthread_setattr_default_np(&attributes);
	if (errno)
		step_failed(STATUS_FD, STEP_THREAD, -errno);
}

// Everything up to the program, in the order of init and program. Returns in a warm child; a cold one is executed, also
// where the interpreter cannot be prepared.
static void become_program(const int fds[WARM_FDS])
{
	offer_to_oom_killer(fds[4]);
	if (setns(fds[0], CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP) < 0)
		step_failed(fds[4], STEP_NAMESPACES, -errno);
	take_descriptors(fds);
	const struct launch l = { .request = &request, .uid = message.head.uid, .niceness = message.head.niceness };
	program_prepare(&l, STATUS_FD);
	// The change of uid took it, and with it the program's right to its own /proc/self/fd. After an exec it is back.
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		step_failed(STATUS_FD, STEP_DUMPABLE, -errno);
	if (syscall(SYS_set_robust_list, robust_head, robust_size) < 0)
		step_failed(STATUS_FD, STEP_THREAD, -errno);
	set_thread_stacks();
	// What the kernel gives every exec anew, for whoever seeds from it.
	if (getrandom((void *)getauxval(AT_RANDOM), AT_RANDOM_BYTES, 0) != AT_RANDOM_BYTES)
		step_failed(STATUS_FD, STEP_THREAD, -errno);
	bool warm = is_like_fresh();
	if (warm) {
		PyOS_AfterFork_Child();
		warm = interpreter_prepare(own_argv[1], request.argc == own_argc ? NULL : request.argv,
					   same_environment() ? NULL : request.envp);
	}
	program_ready(STATUS_FD, warm);
	if (!warm)
		program_exec(&l, STATUS_FD);
	close(STATUS_FD);
}

/* The way in */

// A fork has the calling thread alone, and the locks of the others as they were. A module that starts a thread when it is
// imported cannot be preloaded.
static void require_one_thread(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;
	for (const struct dirent *e; tasks && (e = readdir(tasks));)
		count += e->d_name[0] != '.';
	if (count != 1)
		die(ERROR_ASSERTION, "%d threads after the imports", count);
	closedir(tasks);
}

static _Noreturn void serve(void)
{
	(void)PyGILState_Ensure();
	if (prctl(PR_GET_TID_ADDRESS, &tid_address, 0, 0, 0) < 0 ||
	    syscall(SYS_get_robust_list, 0, &robust_head, &robust_size) < 0)
		die(ERROR_SYSCALL, "thread of the interpreter");
	// Enter my own namespace, to see whether the kernel can (Linux 5.8).
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (self < 0 || setns(self, CLONE_NEWPID) < 0)
		die(ERROR_SYSCALL, "setns by pidfd");
	close(self);
	close_capabilities();
	seccomp_build();
	interpreter_warm_up(imports, preload);
	require_one_thread();
	answer(WARM_READY, 0);
	for (;;) {
		int fds[WARM_FDS];
		receive(fds);
		pin(request.cpu);
		PyOS_BeforeFork();
		pid_t pid = fork_into(fds[0]);
		if (pid == 0) {
			become_program(fds);
			interpreter_run();
		}
		PyOS_AfterFork_Parent();
		close_all(fds, WARM_FDS);
		answer(WARM_FORKED, pid);
	}
}

// Since 3.9 the interpreter makes the path of its main file absolute.
static bool is_main_file(const char *path)
{
	const char *name = own_argv[1];
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
	if (channel >= 0 && !serving && is_main_file(path)) {
		serving = true;
		serve();
	}
	return real(path, mode);
}

// The parent of a warm program is the supervisor, which its namespace does not see; that of a cold one is init.
__attribute__((visibility("default"))) pid_t getppid(void)
{
	pid_t parent = (pid_t)syscall(SYS_getppid);
	return parent ? parent : 1;
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
