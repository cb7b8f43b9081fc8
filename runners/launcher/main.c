// inetd for jails: accepts on a private unix socket and forks; the child becomes nsjail, enclose or runsc. This process keeps
// only the number and pid of each jail, removes its cgroups and folder after its end, and obeys its standard input.
// It reads nothing from the connections itself.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { RETRY_MS = 5, REMOVE_LIMIT_MS = 5000, BACKLOG = 128, LINE_BYTES = 256 };

enum state { FREE, ALIVE, REMOVING };

struct jail {
	enum state state;
	pid_t pid;
	uint64_t number;
	int status;
	uint64_t give_up_ms;
};

static struct settings settings = { .jails_max = 64 };
static struct jail jails[JAILS_MAX];
static uint64_t last_number;
static int listener = -1, signals = -1;
static bool stopping;

_Noreturn void die(enum error_code code, const char *format, ...)
{
	int error = errno;
	char text[MAX_ERROR_TEXT];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (code == ERROR_SYSCALL)
		warn("%s: %s", text, strerror(error));
	else
		warn("%s", text);
	exit(1);
}

void warn(const char *format, ...)
{
	char text[MAX_ERROR_TEXT];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	dprintf(2, "launcher: %s\n", text);
}

static uint64_t now_ms(void)
{
	struct timespec t;
	if (clock_gettime(CLOCK_MONOTONIC, &t) < 0)
		die(ERROR_SYSCALL, "clock_gettime");
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void name_of(const struct jail *j, char out[NAME_BYTES])
{
	snprintf(out, NAME_BYTES, "jail-%llu", (unsigned long long)j->number);
}

/* Arguments */

static void take_option(const char *flag, const char *value)
{
	if (!strcmp(flag, "--socket"))
		settings.socket = value;
	else if (!settings.maker && (!strcmp(flag, "--nsjail") || !strcmp(flag, "--enclose")))
		settings.maker = value;
	else if (!strcmp(flag, "--runsc"))
		settings.runsc = value;
	else if (!strcmp(flag, "--jails"))
		settings.jails = value;
	else if (!strcmp(flag, "--cgroup") && settings.cgroup_count < CGROUP_PARENTS)
		settings.cgroups[settings.cgroup_count++] = value;
	else if (!strcmp(flag, "--max-jails")) {
		char *end;
		unsigned long v = strtoul(value, &end, 10);
		if (*end || !v || v > JAILS_MAX)
			die(ERROR_PROTOCOL, "--max-jails: 1 to %d", JAILS_MAX);
		settings.jails_max = (unsigned)v;
	} else
		die(ERROR_PROTOCOL, "unknown argument or too many: %s", flag);
}

static void take_arguments(int argc, char **argv)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			die(ERROR_PROTOCOL, "%s has no value", argv[i]);
		take_option(argv[i], argv[i + 1]);
	}
	if (!settings.socket || !settings.maker == !settings.runsc || !settings.runsc != !settings.jails)
		die(ERROR_PROTOCOL, "usage: launcher --socket PATH --nsjail PATH [--cgroup DIR]... [--max-jails N], or "
				    "--enclose PATH or --runsc PATH --jails DIR in place of --nsjail PATH");
	const char *wall = settings.runsc ? settings.runsc : settings.maker;
	if (access(wall, X_OK) < 0)
		die(ERROR_SYSCALL, "%s", wall);
	if (settings.jails && (settings.jails_fd = open(settings.jails, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		die(ERROR_SYSCALL, "%s", settings.jails);
	for (unsigned i = 0; i < settings.cgroup_count; i++) {
		settings.cgroup_fds[i] = open(settings.cgroups[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (settings.cgroup_fds[i] < 0)
			die(ERROR_SYSCALL, "%s", settings.cgroups[i]);
	}
}

static void listen_privately(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	if (strlen(settings.socket) >= sizeof address.sun_path)
		die(ERROR_PROTOCOL, "--socket: path too long");
	strcpy(address.sun_path, settings.socket);
	umask(077);
	if (unlink(settings.socket) < 0 && errno != ENOENT)
		die(ERROR_SYSCALL, "%s", settings.socket);
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener < 0 || bind(listener, (const struct sockaddr *)&address, sizeof address) < 0 ||
	    listen(listener, BACKLOG) < 0)
		die(ERROR_SYSCALL, "%s", settings.socket);
	umask(022);
}

static void watch_signals(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR)
		die(ERROR_SYSCALL, "signals");
	signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (signals < 0)
		die(ERROR_SYSCALL, "signalfd");
}

// A run may have a larger stack than the host's bound allows. Who may not lift that leaves it; the service reads it here and
// says so.
static void lift_stack_bound(void)
{
	struct rlimit stack;
	if (getrlimit(RLIMIT_STACK, &stack) < 0)
		die(ERROR_SYSCALL, "RLIMIT_STACK");
	stack.rlim_max = RLIM_INFINITY;
	(void)setrlimit(RLIMIT_STACK, &stack);
}

/* Jails */

static void refuse(int connection, const char *text)
{
	uint8_t frame[FRAME_HEADER + 4 + 128];
	size_t length = strnlen(text, 128);
	frame_header(frame, FRAME_ERROR, 0, 0, (uint32_t)(4 + length));
	uint8_t *at = frame + FRAME_HEADER;
	put_u32(&at, ERROR_REFUSED);
	memcpy(at, text, length);
	// Best effort: whoever is refused may have left.
	(void)!send(connection, frame, FRAME_HEADER + 4 + length, MSG_NOSIGNAL | MSG_DONTWAIT);
	close(connection);
}

static struct jail *free_jail(void)
{
	for (unsigned i = 0; i < settings.jails_max; i++)
		if (jails[i].state == FREE)
			return &jails[i];
	return NULL;
}

static void start_jail(int connection)
{
	struct ucred peer;
	socklen_t size = sizeof peer;
	if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.uid != geteuid()) {
		refuse(connection, "not your launcher");
		return;
	}
	struct jail *j = free_jail();
	if (!j || stopping) {
		refuse(connection, stopping ? "the launcher is stopping" : "as many jails as --max-jails allows");
		return;
	}
	char name[NAME_BYTES];
	pid_t self = getpid();
	j->number = ++last_number;
	name_of(j, name);
	j->pid = fork();
	if (j->pid == 0)
		child_main(&settings, connection, name, self);
	if (j->pid < 0)
		refuse(connection, "fork failed");
	else {
		j->state = ALIVE;
		close(connection);
	}
}

static void accept_all(void)
{
	for (;;) {
		int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (connection >= 0)
			start_jail(connection);
		else if (errno == EAGAIN || errno == EMFILE || errno == ENFILE)
			return;
		else if (errno != EINTR && errno != ECONNABORTED)
			die(ERROR_SYSCALL, "accept");
	}
}

// Before the groups are removed, and at once: whoever waits for the jail's run wants to know whose fault its end was.
static void report_cap(const struct jail *j)
{
	char name[NAME_BYTES];
	name_of(j, name);
	dprintf(1, "end %s %s\n", name, groups_met_cap(&settings, name) ? "cap" : "other");
}

// Orphans of a jail come here too, because this process is their subreaper; they have no entry.
static void reap_all(void)
{
	int status;
	for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
		for (unsigned i = 0; i < settings.jails_max; i++)
			if (jails[i].state == ALIVE && jails[i].pid == pid) {
				jails[i].state = REMOVING;
				jails[i].status = status;
				report_cap(&jails[i]);
				jails[i].give_up_ms = now_ms() + REMOVE_LIMIT_MS;
			}
}

// Returns true while a jail's groups are still to be removed.
static bool remove_groups(void)
{
	bool waiting = false;
	for (unsigned i = 0; i < settings.jails_max; i++) {
		struct jail *j = &jails[i];
		if (j->state != REMOVING)
			continue;
		char name[NAME_BYTES];
		name_of(j, name);
		bool gone = groups_remove(&settings, name);
		if (!gone && now_ms() < j->give_up_ms) {
			waiting = true;
			continue;
		}
		if (!gone)
			warn("%s: its cgroups cannot be removed", name);
		folder_remove(&settings, name);
		dprintf(1, "exit %s %d\n", name, j->status);
		j->state = FREE;
	}
	return waiting;
}

static void stop(void)
{
	stopping = true;
	for (unsigned i = 0; i < settings.jails_max; i++)
		if (jails[i].state == ALIVE && kill(jails[i].pid, SIGKILL) < 0 && errno != ESRCH)
			die(ERROR_SYSCALL, "kill");
}

static bool any_jail(void)
{
	for (unsigned i = 0; i < settings.jails_max; i++)
		if (jails[i].state != FREE)
			return true;
	return false;
}

/* Control */

static void command(const char *line)
{
	char name[NAME_BYTES];
	if (strncmp(line, "kill ", 5)) {
		warn("unknown command");
		return;
	}
	for (unsigned i = 0; i < settings.jails_max; i++) {
		name_of(&jails[i], name);
		if (jails[i].state == ALIVE && !strcmp(line + 5, name))
			(void)kill(jails[i].pid, SIGKILL); // not reaped yet, so the pid is still its own
	}
}

static void read_control(void)
{
	static char line[LINE_BYTES];
	static size_t have;
	ssize_t n = read(0, line + have, sizeof line - 1 - have);
	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		stop();
		return;
	}
	have += (size_t)n;
	line[have] = 0;
	for (char *end; (end = strchr(line, '\n'));) {
		*end = 0;
		command(line);
		have -= (size_t)(end + 1 - line);
		memmove(line, end + 1, have + 1);
	}
	if (have == sizeof line - 1)
		die(ERROR_PROTOCOL, "control line too long");
}

static void read_signals(void)
{
	struct signalfd_siginfo s;
	while (read(signals, &s, sizeof s) == (ssize_t)sizeof s)
		if (s.ssi_signo != SIGCHLD)
			stop();
}

static void serve_once(void)
{
	bool waiting = remove_groups();
	if (stopping && !any_jail())
		return;
	struct pollfd fds[] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = stopping ? -1 : 0, .events = POLLIN },
		{ .fd = listener, .events = POLLIN },
	};
	if (poll(fds, 3, waiting ? RETRY_MS : -1) < 0 && errno != EINTR)
		die(ERROR_SYSCALL, "poll");
	if (fds[0].revents)
		read_signals();
	reap_all();
	if (fds[1].revents)
		read_control();
	if (fds[2].revents)
		accept_all();
}

int main(int argc, char **argv)
{
	// A descriptor of the service that slipped through must not reach a jail.
	if (close_range(3, ~0u, 0) < 0)
		die(ERROR_SYSCALL, "close_range");
	take_arguments(argc, argv);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		die(ERROR_SYSCALL, "PR_SET_CHILD_SUBREAPER");
	lift_stack_bound();
	watch_signals();
	groups_sweep(&settings);
	listen_privately();
	dprintf(1, "ready\n");
	while (!stopping || any_jail())
		serve_once();
	if (unlink(settings.socket) < 0 && errno != ENOENT)
		warn("%s: %s", settings.socket, strerror(errno));
	return 0;
}
