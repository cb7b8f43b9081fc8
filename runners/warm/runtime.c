// A warm runtime without its interpreter: settings, requests, and the way from a fork to the program. A child that finds that
// a fresh interpreter would behave otherwise becomes one, by exec.

#include <dirent.h>
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
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/warm.h"
#include "runtime.h"

enum { AT_RANDOM_BYTES = 16, ABOVE_ALL_FDS = 128 };

// What the supervisor passes in the environment; taken out of it before the interpreter looks.
#define SETTING_CHANNEL "ASSAY_WARM_CHANNEL" // descriptor of the socket
#define SETTING_GROUP "ASSAY_WARM_GROUP" // descriptor of the runs' cgroup, −1 without

struct started started;
struct request request;
static int channel = -1;
static int group = -1;
// What the C library registers with the kernel for its thread, and a fork of our own has to keep up. Null where the kernel
// does not tell (gVisor, which has no CLONE_PARENT either): then forks are the C library's.
static int *tid_address;
static struct robust_list_head *robust_head;
static size_t robust_size;
static int32_t pinned = -1;

static struct {
	struct warm_request head;
	uint8_t payload[WARM_PAYLOAD_MAX];
} message;
static uint32_t by_cgroup;
bool root_is_own; // as the supervisor told

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
	return (file == CG_MEMORY_LIMIT && (by_cgroup & WARM_MEMORY)) ||
	       (file == CG_PIDS_LIMIT && (by_cgroup & WARM_PIDS)) || (file == CG_CPU && (by_cgroup & WARM_CPU));
}

/* Start */

static int take_number(const char *name)
{
	const char *text = getenv(name);
	int number = text ? atoi(text) : -1;
	unsetenv(name);
	return number;
}

char *runtime_setting(const char *name)
{
	const char *text = getenv(name);
	char *copy = strdup(text ? text : "");
	if (!copy)
		abort();
	unsetenv(name);
	return copy;
}

bool runtime_start(int argc, char **argv, char **envp)
{
	if (!getenv(SETTING_CHANNEL))
		return false;
	channel = take_number(SETTING_CHANNEL);
	group = take_number(SETTING_GROUP);
	unsetenv("LD_PRELOAD");
	started = (struct started){ .argc = argc, .argv = argv, .env = envp };
	return true;
}

bool runtime_started(void)
{
	return channel >= 0;
}

bool runtime_owns(int fd)
{
	return fd == channel || fd == group;
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
	by_cgroup = message.head.by_cgroup;
	root_is_own = message.head.root_is_own != 0;
}

// The runtime goes to the run's core itself, as the supervisor does, so that its children start there.
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
	if (!tid_address) {
		pid_t child = fork();
		return child < 0 ? -errno : child;
	}
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

static void take_descriptors(int fds[WARM_FDS], int status_fd)
{
	int high[WARM_FDS];
	// Above all targets first, because each may have any number above 2.
	for (int i = 1; i < WARM_FDS; i++)
		high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, ABOVE_ALL_FDS);
	if (dup2(high[1], 0) < 0 || dup2(high[2], 1) < 0 || dup2(high[3], 2) < 0)
		step_failed(fds[4], STEP_DESCRIPTORS, -errno);
	// What is below the status pipe then is the interpreter's.
	close_all(fds, WARM_FDS);
	(void)close(channel);
	(void)close(group);
	if (dup3(high[4], status_fd, O_CLOEXEC) < 0 || syscall(SYS_close_range, status_fd + 1, ~0u, 0) < 0)
		step_failed(high[4], STEP_DESCRIPTORS, -errno);
}

bool same_texts(char *const *a, char *const *b, int count)
{
	for (int i = 0; i < count; i++)
		if (!a[i] || !b[i] || strcmp(a[i], b[i]))
			return false;
	return true;
}

bool same_environment(void)
{
	int count = 0;
	while (started.env[count])
		count++;
	return count == request.envc && same_texts(started.env, request.envp, count);
}

// The C library takes the size of threads' stacks from the limit at exec; this is what it does with it.
static void set_thread_stacks(int status)
{
	const size_t page = 4096, least = (size_t)PTHREAD_STACK_MIN;
	struct rlimit stack;
	pthread_attr_t attributes;
	if (getrlimit(RLIMIT_STACK, &stack) < 0)
		step_failed(status, STEP_THREAD, -errno);
	size_t size = stack.rlim_cur < least ? least : stack.rlim_cur;
	errno = pthread_getattr_default_np(&attributes);
	if (!errno)
		errno = pthread_attr_setstacksize(&attributes, (size + page - 1) & -page);
	if (!errno)
		errno = pthread_setattr_default_np(&attributes);
	if (errno)
		step_failed(status, STEP_THREAD, -errno);
}

// Everything up to the program, in the order of init and program. Returns in a warm child; a cold one is executed.
static void become_program(const struct runtime *r, int fds[WARM_FDS])
{
	const int status = r->status_fd;
	offer_to_oom_killer(fds[4]);
	// As init was made.
	const int spaces = CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | (tid_address ? 0 : CLONE_NEWNET);
	// Without cgroup namespaces (gVisor) init has none of its own.
	if (setns(fds[0], spaces | CLONE_NEWCGROUP) < 0 && (errno != EINVAL || setns(fds[0], spaces) < 0))
		step_failed(fds[4], STEP_NAMESPACES, -errno);
	take_descriptors(fds, status);
	const struct launch l = { .request = &request, .uid = message.head.uid, .niceness = message.head.niceness };
	program_prepare(&l, status);
	// The change of uid took it, and with it the program's right to its own /proc/self/fd. After an exec it is back.
	if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		step_failed(status, STEP_DUMPABLE, -errno);
	if (tid_address && syscall(SYS_set_robust_list, robust_head, robust_size) < 0)
		step_failed(status, STEP_THREAD, -errno);
	set_thread_stacks(status);
	// What the kernel gives every exec anew, for whoever seeds from it.
	if (getrandom((void *)getauxval(AT_RANDOM), AT_RANDOM_BYTES, 0) != AT_RANDOM_BYTES)
		step_failed(status, STEP_THREAD, -errno);
	bool warm = r->adopt();
	program_ready(status, warm);
	if (!warm)
		program_exec(&l, status);
	close(status);
}

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

void runtime_open(void)
{
	if (prctl(PR_GET_TID_ADDRESS, &tid_address, 0, 0, 0) < 0)
		tid_address = NULL;
	// Only where runs have no group of their own may they be forked otherwise.
	if (!tid_address && group >= 0)
		die(ERROR_SYSCALL, "address of the thread id");
	if (tid_address && syscall(SYS_get_robust_list, 0, &robust_head, &robust_size) < 0)
		die(ERROR_SYSCALL, "thread of the interpreter");
	// Enter my own namespace, to see whether the kernel can (Linux 5.8).
	int self = (int)syscall(SYS_pidfd_open, getpid(), 0);
	if (self < 0 || setns(self, CLONE_NEWPID) < 0)
		die(ERROR_SYSCALL, "setns by pidfd");
	close(self);
	close_capabilities();
	seccomp_build();
}

// As init does for a program that it has executed.
static void report_end(pid_t program, int status_fd)
{
	int status;
	struct rusage usage;
	while (wait4(program, &status, 0, &usage) < 0)
		if (errno != EINTR)
			die(ERROR_SYSCALL, "waiting for a program");
	const struct report end = report_of_end(status, &usage);
	// A supervisor that has left does not listen.
	(void)!write(status_fd, &end, sizeof end);
}

void runtime_serve(const struct runtime *r)
{
	require_one_thread();
	answer(WARM_READY, 0);
	for (;;) {
		int fds[WARM_FDS];
		receive(fds);
		pin(request.cpu);
		if (r->before_fork)
			r->before_fork();
		pid_t pid = fork_into(fds[0]);
		if (pid == 0) {
			become_program(r, fds);
			return;
		}
		if (r->after_fork)
			r->after_fork();
		close_all(fds, WARM_FDS - 1);
		answer(tid_address ? WARM_FORKED : WARM_KEPT, pid);
		if (!tid_address && pid > 0)
			report_end(pid, fds[4]);
		close(fds[4]);
	}
}

// The parent of a warm program is the supervisor, which its namespace does not see; that of a cold one is init.
__attribute__((visibility("default"))) pid_t getppid(void)
{
	pid_t parent = (pid_t)syscall(SYS_getppid);
	return parent ? parent : 1;
}
