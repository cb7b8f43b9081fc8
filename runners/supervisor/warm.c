// The supervisor's side of the warm runtimes: starts them, hands them requests, reads their answers. Knows no language;
// what a runtime is and what it needs comes as arguments.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor.h"

// 32–35 are free: arguments name descriptors up to 31, the channel has 40.
enum { CHANNEL_FD = 33, GROUP_FD = 34, ARGS_MAX = 64 };
// Room for a request; the kernel counts its own overhead too.
enum { SOCKET_BYTES = 4 * WARM_PAYLOAD_MAX };
/// The largest stack a run may have.
#define STACK_BYTES (256 * MIB)

static char *arguments[ARGS_MAX + 1];
static char *variables[ARGS_MAX + 1];
static size_t argument_count, variable_count;
static const char *light_variable;
static struct runtime {
	int channel;
	pid_t pid;
} runtimes[WARM_KINDS] = { [WARM_FULL] = { .channel = -1 }, [WARM_LIGHT] = { .channel = -1 } };
static int start_limit_ms = 10000;

static void add(char **list, size_t *count, const char *text)
{
	if (*count == ARGS_MAX)
		die(ERROR_PROTOCOL, "too many arguments for the warm runtime");
	list[(*count)++] = (char *)(uintptr_t)text;
}

void warm_argument(const char *text)
{
	add(arguments, &argument_count, text);
}

void warm_variable(const char *text)
{
	add(variables, &variable_count, text);
}

void warm_light_variable(const char *text)
{
	light_variable = text;
}

void warm_start_limit(int ms)
{
	start_limit_ms = ms;
}

bool warm_running(enum warm_kind kind)
{
	return runtimes[kind].channel >= 0;
}

unsigned warm_count(void)
{
	return (unsigned)warm_running(WARM_FULL) + (unsigned)warm_running(WARM_LIGHT);
}

bool warm_is(pid_t pid)
{
	return pid == runtimes[WARM_FULL].pid || pid == runtimes[WARM_LIGHT].pid;
}

int warm_fd(enum warm_kind kind)
{
	return runtimes[kind].channel;
}

// Pipes, as a program finds them, because an interpreter looks at its descriptors when it starts. Nobody is at the other
// ends.
static bool take_pipes(void)
{
	int in[2], out[2];
	return pipe(in) == 0 && pipe(out) == 0 && dup2(in[0], 0) == 0 && dup2(out[1], 1) == 1 && dup2(out[1], 2) == 2;
}

// The light runtime differs in one variable.
static void lighten(void)
{
	const size_t name = strcspn(light_variable, "=") + 1;
	for (size_t i = 0; i < variable_count; i++)
		if (!strncmp(variables[i], light_variable, name))
			variables[i] = (char *)(uintptr_t)light_variable;
}

static _Noreturn void become_runtime(enum warm_kind kind, int socket)
{
	static char channel_setting[] = "ASSAY_WARM_CHANNEL=33", group_setting[] = "ASSAY_WARM_GROUP=34";
	static char no_group_setting[] = "ASSAY_WARM_GROUP=-1";
	int group = cgroup_group_fd();
	if (kind == WARM_LIGHT)
		lighten();
	add(variables, &variable_count, channel_setting);
	add(variables, &variable_count, group >= 0 ? group_setting : no_group_setting);
	// Where a process's mappings begin depends on this limit at its exec; a child's own limit is lower, never higher.
	struct rlimit stack;
	if (getrlimit(RLIMIT_STACK, &stack) < 0)
		die(ERROR_SYSCALL, "getrlimit");
	stack.rlim_cur = stack.rlim_max < STACK_BYTES ? stack.rlim_max : STACK_BYTES;
	if (setrlimit(RLIMIT_STACK, &stack) < 0)
		die(ERROR_SYSCALL, "stack of the warm runtime");
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || !take_pipes() || dup2(socket, CHANNEL_FD) < 0 ||
	    (group >= 0 && dup2(group, GROUP_FD) < 0) || chdir("/work") < 0)
		die(ERROR_SYSCALL, "preparing the warm runtime");
	for (int fd = 3; fd < 1024; fd++)
		if (fd != CHANNEL_FD && (fd != GROUP_FD || group < 0))
			(void)close(fd);
	execve(arguments[0], arguments, variables);
	_exit(127);
}

struct answer {
	struct warm_answer head;
	char text[WARM_TEXT_MAX + 1];
};

// False at the end of file.
static bool receive(enum warm_kind kind, struct answer *a)
{
	*a = (struct answer){ 0 };
	return recv(runtimes[kind].channel, a, sizeof *a - 1, 0) >= (ssize_t)sizeof a->head;
}

static void begin(enum warm_kind kind)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		die(ERROR_SYSCALL, "socket of the warm runtime");
	const int size = SOCKET_BYTES;
	for (int i = 0; i < 2; i++)
		if (setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) < 0)
			die(ERROR_SYSCALL, "SO_SNDBUF");
	pid_t pid = fork();
	if (pid < 0)
		die(ERROR_SYSCALL, "fork of the warm runtime");
	if (pid == 0)
		become_runtime(kind, ends[1]);
	close(ends[1]);
	runtimes[kind] = (struct runtime){ .channel = ends[0], .pid = pid };
}

// The jail works without a runtime that does not start, only slower; HELLO tells that there is none.
static void await_ready(enum warm_kind kind, uint64_t due)
{
	struct runtime *r = &runtimes[kind];
	struct answer a = { 0 };
	struct pollfd p = { .fd = r->channel, .events = POLLIN };
	const uint64_t now = now_ns();
	if (poll(&p, 1, now < due ? (int)((due - now) / NS_PER_MS) : 0) > 0 && receive(kind, &a) && a.head.kind == WARM_READY)
		return;
	warn("no warm runtime: %s", p.revents & POLLIN && a.head.kind == WARM_FAILED ? a.text : "it did not start");
	(void)kill(r->pid, SIGKILL);
	if (waitpid(r->pid, NULL, 0) < 0)
		die(ERROR_SYSCALL, "waiting for the warm runtime");
	close(r->channel);
	*r = (struct runtime){ .channel = -1 };
}

void warm_start(void)
{
	if (!argument_count)
		return;
	const uint64_t due = now_ns() + (uint64_t)start_limit_ms * NS_PER_MS;
	begin(WARM_FULL);
	if (light_variable)
		begin(WARM_LIGHT);
	await_ready(WARM_FULL, due);
	if (light_variable)
		await_ready(WARM_LIGHT, due);
}

pid_t warm_answer(enum warm_kind kind, bool *kept)
{
	struct answer a;
	if (!receive(kind, &a))
		die(ERROR_ASSERTION, "the warm runtime has ended");
	*kept = a.head.kind == WARM_KEPT;
	if (a.head.kind != WARM_FORKED && !*kept)
		die(ERROR_ASSERTION, "the warm runtime: %s", a.text);
	return a.head.pid;
}

void warm_request(enum warm_kind kind, const struct slot *s, const struct launch *l, int init_pidfd, const int fds[4])
{
	struct warm_request head = {
		.uid = l->uid,
		.niceness = l->niceness,
		.by_cgroup = (cgroup_has(CG_MEMORY_LIMIT) ? (uint32_t)WARM_MEMORY : 0u) |
			     (cgroup_has(CG_PIDS_LIMIT) ? (uint32_t)WARM_PIDS : 0u) |
			     (cgroup_has(CG_CPU) ? (uint32_t)WARM_CPU : 0u),
		.root_is_own = root_is_own,
	};
	const int sent[WARM_FDS] = { init_pidfd, fds[0], fds[1], fds[2], fds[3] };
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof sent)];
	} control = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof sent) } };
	memcpy(CMSG_DATA(&control.head), sent, sizeof sent);
	struct iovec data[] = { { &head, sizeof head }, { (void *)(uintptr_t)s->raw, s->raw_length } };
	const struct msghdr m = {
		.msg_iov = data, .msg_iovlen = 2, .msg_control = &control, .msg_controllen = sizeof control
	};
	if (sendmsg(runtimes[kind].channel, &m, MSG_NOSIGNAL) < 0)
		die(ERROR_SYSCALL, "asking the warm runtime");
}
