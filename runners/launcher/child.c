// One jail's beginning: reads LAUNCH from the connection, makes the jail's cgroups, opens what the supervisor
// is to have, and becomes the wall with the connection as fd 0. Nothing here is told by a submission.

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "launcher.h"

enum { CONNECTION_FD = 64, LAUNCH_TIMEOUT_S = 5 };

static const struct settings *settings;
static const char *jail;
static int group_fds[CGROUP_PARENTS];
static int config_fd = -1;
static unsigned passed; // bit n: descriptor FD_PASSED_MIN + n is for the supervisor
static uint8_t bytes[FRAME_HEADER + MAX_PAYLOAD];

static _Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static _Noreturn void refuse(const char *format, ...)
{
	char text[MAX_ERROR_TEXT];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
	uint8_t frame[FRAME_HEADER + 4 + MAX_ERROR_TEXT];
	frame_header(frame, FRAME_ERROR, 0, 0, (uint32_t)(4 + length));
	uint8_t *at = frame + FRAME_HEADER;
	put_u32(&at, ERROR_REFUSED);
	memcpy(at, text, length);
	(void)!send(CONNECTION_FD, frame, FRAME_HEADER + 4 + length, MSG_NOSIGNAL);
	warn("%s: %s", jail, text);
	_exit(1);
}

static uint64_t seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec;
}

static struct frame read_launch(void)
{
	uint64_t deadline = seconds() + LAUNCH_TIMEOUT_S;
	size_t have = 0;
	for (;;) {
		struct frame f;
		const char *why = NULL;
		enum frame_status status = frame_parse(bytes, have, FROM_CLIENT_OF_LAUNCHER, &f, &why);
		if (status == FRAME_BAD || (status == FRAME_WHOLE && f.type != FRAME_LAUNCH))
			refuse("not a LAUNCH frame: %s", why ? why : "wrong type");
		if (status == FRAME_WHOLE)
			return f;
		struct pollfd p = { .fd = CONNECTION_FD, .events = POLLIN };
		if (seconds() >= deadline || poll(&p, 1, 1000) < 0)
			refuse("no LAUNCH within %d s", LAUNCH_TIMEOUT_S);
		if (!p.revents)
			continue;
		// Not one byte more than the frame: what follows is the supervisor's.
		size_t want = have < FRAME_HEADER ? FRAME_HEADER - have : FRAME_HEADER + f.length - have;
		ssize_t n = read(CONNECTION_FD, bytes + have, want);
		if (n <= 0)
			_exit(1); // the client has left
		have += (size_t)n;
	}
}

// The path of a record as a string; may be empty where the group itself is meant.
static const char *path_of(struct cursor *c, size_t length, bool may_be_empty)
{
	static char path[MAX_PATH_BYTES + 1];
	const uint8_t *b = take_bytes(c, length);
	if (!b || (length ? !path_allowed(b, length) : !may_be_empty))
		refuse("a path in a record is not allowed");
	memcpy(path, b, length);
	path[length] = 0;
	return length ? path : ".";
}

static int group_of(struct cursor *c)
{
	uint8_t parent = take_u8(c);
	if (c->bad || parent >= settings->cgroup_count)
		refuse("a record names cgroup parent %u of %u", parent, settings->cgroup_count);
	return group_fds[parent];
}

static size_t rest(const struct cursor *c)
{
	return c->bad ? 0 : (size_t)(c->end - c->at);
}

static void do_config(struct cursor *c)
{
	static const char token[] = "@NAME@";
	const char *at = (const char *)c->at, *end = (const char *)c->end;
	// runsc reads its configuration from a folder, the others from any path.
	config_fd = settings->runsc ? folder_make(settings, jail, "config.json") : memfd_create("config", 0);
	FILE *out = config_fd < 0 ? NULL : fdopen(fcntl(config_fd, F_DUPFD_CLOEXEC, 3), "w");
	if (!out)
		refuse("config: %s", strerror(errno));
	while (at < end) {
		const char *found = memmem(at, (size_t)(end - at), token, sizeof token - 1);
		size_t plain = (size_t)((found ? found : end) - at);
		if (fwrite(at, 1, plain, out) != plain || (found && fputs(jail, out) < 0))
			refuse("config: %s", strerror(errno));
		at += plain + (found ? sizeof token - 1 : 0);
	}
	if (fclose(out))
		refuse("config: %s", strerror(errno));
}

static void do_write(struct cursor *c)
{
	int group = group_of(c);
	const char *path = path_of(c, take_u8(c), false);
	size_t length = rest(c);
	int fd = openat(group, path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, c->at, length) != (ssize_t)length)
		refuse("writing %s/%s: %s", jail, path, strerror(errno));
	close(fd);
}

static void do_fd(struct cursor *c)
{
	static const int flags[] = { O_RDONLY, O_RDWR, O_RDONLY | O_DIRECTORY };
	int group = group_of(c);
	uint8_t access = take_u8(c), number = take_u8(c);
	if (c->bad || access >= sizeof flags / sizeof flags[0] || number < FD_PASSED_MIN || number > FD_PASSED_MAX)
		refuse("fd record out of range");
	const char *path = path_of(c, rest(c), access == 2);
	int fd = openat(group, path, flags[access] | O_CLOEXEC);
	// memory.peak cannot be written before Linux 6.12; the supervisor finds out by trying.
	if (fd < 0 && access == 1 && errno == EACCES)
		fd = openat(group, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || dup2(fd, number) < 0)
		refuse("opening %s/%s: %s", jail, path, strerror(errno));
	passed |= 1u << (number - FD_PASSED_MIN);
	close(fd);
}

static void do_mkdir(struct cursor *c)
{
	int group = group_of(c);
	const char *path = path_of(c, rest(c), false);
	if (mkdirat(group, path, 0755) < 0)
		refuse("mkdir %s/%s: %s", jail, path, strerror(errno));
}

static void do_chown(struct cursor *c)
{
	int group = group_of(c);
	uint32_t uid = take_u32(c);
	const char *path = path_of(c, rest(c), true);
	if (fchownat(group, path, uid, (gid_t)-1, AT_SYMLINK_NOFOLLOW) < 0)
		refuse("chown %s/%s: %s", jail, path, strerror(errno));
}

static void do_join(struct cursor *c)
{
	int group = group_of(c);
	const char *path = path_of(c, rest(c), true);
	int dir = openat(group, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -1 : openat(dir, "cgroup.procs", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1)
		refuse("joining %s/%s: %s", jail, path, strerror(errno));
	close(fd);
	close(dir);
}

static void (*const actions[])(struct cursor *) = {
	[LAUNCH_CONFIG] = do_config, [LAUNCH_WRITE] = do_write, [LAUNCH_FD] = do_fd,
	[LAUNCH_MKDIR] = do_mkdir,   [LAUNCH_CHOWN] = do_chown, [LAUNCH_JOIN] = do_join,
};

static void carry_out(const struct frame *f)
{
	struct cursor c = cursor_of(f->payload, f->length);
	while (c.at < c.end) {
		uint8_t kind = take_u8(&c);
		uint32_t length = take_u32(&c);
		const uint8_t *b = take_bytes(&c, length);
		if (!b || kind >= sizeof actions / sizeof actions[0] || !actions[kind])
			refuse("unknown or short record");
		struct cursor record = cursor_of(b, length);
		actions[kind](&record);
	}
	if (config_fd < 0)
		refuse("no config record");
}

static void make_groups(void)
{
	for (unsigned i = 0; i < settings->cgroup_count; i++) {
		if (mkdirat(settings->cgroup_fds[i], jail, 0755) < 0)
			refuse("mkdir %s/%s: %s", settings->cgroups[i], jail, strerror(errno));
		group_fds[i] = openat(settings->cgroup_fds[i], jail, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (group_fds[i] < 0)
			refuse("open %s/%s: %s", settings->cgroups[i], jail, strerror(errno));
	}
}

// A run's memory limit is the whole jail's on cgroup v1, and the kernel takes whoever counts most: never ours. Runs offer
// themselves first (1000). Without the privilege, a run of less than 8 MiB may take its jail along: the kernel's scale is
// coarse.
static void hide_from_oom_killer(void)
{
	int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)!write(fd, "-1000", 5);
	close(fd);
}

static _Noreturn void become(const char *program, char *const arguments[])
{
	// The connection becomes fd 0, the launcher's log fd 1 and 2; the rest closes at exec.
	if (dup2(CONNECTION_FD, 0) < 0 || dup2(2, 1) < 0)
		refuse("descriptors: %s", strerror(errno));
	char *const environment[] = { "PATH=/usr/bin:/bin", NULL };
	execve(program, arguments, environment);
	refuse("exec %s: %s", program, strerror(errno));
}

static _Noreturn void become_maker(void)
{
	hide_from_oom_killer();
	char path[32];
	snprintf(path, sizeof path, "/proc/self/fd/%d", config_fd);
	become(settings->maker, (char *[]){ (char *)(uintptr_t)settings->maker, "--config", path, NULL });
}

// No network, nothing of the host written to, no cgroup of its own beside ours. `run` without `--detach` stays the parent
// of the sandbox and of its gofer, both of which the kernel kills with it (PR_SET_PDEATHSIG).
static _Noreturn void become_runsc(void)
{
	static char root[MAX_PATH_BYTES], bundle[MAX_PATH_BYTES], descriptors[FD_PASSED_MAX - FD_PASSED_MIN + 1][24];
	static char *arguments[48] = {
		"runsc", "--platform=systrap", "--network=none", "--overlay2=root:memory",
		"--file-access-mounts=exclusive", "--ignore-cgroups", "--host-settings=ignore",
	};
	size_t count = 7;
	snprintf(root, sizeof root, "--root=%s/%s", settings->jails, jail);
	snprintf(bundle, sizeof bundle, "--bundle=%s/%s", settings->jails, jail);
	arguments[count++] = root;
	if (geteuid())
		arguments[count++] = "--rootless";
	arguments[count++] = "run";
	arguments[count++] = bundle;
	for (int n = 0; n <= FD_PASSED_MAX - FD_PASSED_MIN; n++)
		if (passed & 1u << n) {
			int fd = FD_PASSED_MIN + n;
			snprintf(descriptors[n], sizeof descriptors[n], "--pass-fd=%d:%d", fd, fd);
			arguments[count++] = descriptors[n];
		}
	arguments[count++] = (char *)(uintptr_t)jail;
	become(settings->runsc, arguments);
}

_Noreturn void child_main(const struct settings *s, int connection, const char *name, pid_t parent)
{
	settings = s;
	jail = name;
	sigset_t none;
	sigemptyset(&none);
	if (dup3(connection, CONNECTION_FD, O_CLOEXEC) < 0)
		_exit(1);
	close(connection);
	// Survives the exec of a program without set-uid bit.
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0 || getppid() != parent)
		_exit(1);
	if (signal(SIGPIPE, SIG_DFL) == SIG_ERR || sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		refuse("signals: %s", strerror(errno));
	struct frame f = read_launch();
	make_groups();
	carry_out(&f);
	if (settings->runsc)
		become_runsc();
	become_maker();
}
