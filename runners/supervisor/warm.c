// The supervisor's side of a warm runtime: starts it, hands it requests, reads its answers. Knows no language; what
// the runtime is and what it needs comes as arguments.

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
static int channel = -1;
static pid_t runtime;
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

void warm_start_limit(int ms)
{
	start_limit_ms = ms;
}

bool warm_running(void)
{
	return channel >= 0;
}

pid_t warm_pid(void)
{
	return runtime;
}

int warm_fd(void)
{
	return channel;
}

// Pipes, as a program finds them, because an interpreter looks at its descriptors when it starts. Nobody is at the other
// ends.
static bool take_pipes(void)
{
	int in[2], out[2];
	return pipe(in) == 0 && pipe(out) == 0 && dup2(in[0], 0) == 0 && dup2(out[1], 1) == 1 && dup2(out[1], 2) == 2;
}

static _Noreturn void become_runtime(int socket)
{
	static char channel_setting[] = "ASSAY_WARM_CHANNEL=33", group_setting[] = "ASSAY_WARM_GROUP=34";
	static char no_group_setting[] = "ASSAY_WARM_GROUP=-1";
	int group = cgroup_group_fd();
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
static bool receive(struct answer *a)
{
	*a = (struct answer){ 0 };
	return recv(channel, a, sizeof *a - 1, 0) >= (ssize_t)sizeof a->head;
}

void warm_start(void)
{
	if (!argument_count)
		return;
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		die(ERROR_SYSCALL, "socket of the warm runtime");
	const int size = SOCKET_BYTES;
	for (int i = 0; i < 2; i++)
		if (setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &size, sizeof size) < 0)
			die(ERROR_SYSCALL, "SO_SNDBUF");
	runtime = fork();
	if (runtime < 0)
		die(ERROR_SYSCALL, "fork of the warm runtime");
	if (runtime == 0)
		become_runtime(ends[1]);
	close(ends[1]);
	channel = ends[0];
	struct answer a;
	struct pollfd p = { .fd = channel, .events = POLLIN };
	if (poll(&p, 1, start_limit_ms) > 0 && receive(&a) && a.head.kind == WARM_READY)
		return;
	// The jail works without, only slower; HELLO tells that there is none.
	warn("no warm runtime: %s", p.revents & POLLIN && a.head.kind == WARM_FAILED ? a.text : "it did not start");
	(void)kill(runtime, SIGKILL);
	if (waitpid(runtime, NULL, 0) < 0)
		die(ERROR_SYSCALL, "waiting for the warm runtime");
	close(channel);
	channel = -1;
	runtime = 0;
}

pid_t warm_answer(bool *kept)
{
	struct answer a;
	if (!receive(&a))
		die(ERROR_ASSERTION, "the warm runtime has ended");
	*kept = a.head.kind == WARM_KEPT;
	if (a.head.kind != WARM_FORKED && !*kept)
		die(ERROR_ASSERTION, "the warm runtime: %s", a.text);
	return a.head.pid;
}

void warm_request(const struct slot *s, const struct launch *l, int init_pidfd, const int fds[4])
{
	struct warm_request head = {
		.uid = l->uid,
		.niceness = l->niceness,
		.by_cgroup = (cgroup_has(CG_MEMORY_LIMIT) ? (uint32_t)WARM_MEMORY : 0u) |
			     (cgroup_has(CG_PIDS_LIMIT) ? (uint32_t)WARM_PIDS : 0u) |
			     (cgroup_has(CG_CPU) ? (uint32_t)WARM_CPU : 0u),
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
	if (sendmsg(channel, &m, MSG_NOSIGNAL) < 0)
		die(ERROR_SYSCALL, "asking the warm runtime");
}
