// Entry and main loop. PID 1 of the jail: takes its descriptors, closes itself off, says HELLO, then serves the
// channel and the current run at once, in one thread, without allocation.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "supervisor.h"

static const char *name = "jail";
static int niceness;
bool root_is_own; // else it is to be /skel
static bool root_is_built; // nothing is there unasked, and the devices are
static uid_t uid = 1000;
static struct counts baseline;

_Noreturn void die(enum error_code code, const char *format, ...)
{
	int error = errno;
	char text[MAX_ERROR_TEXT];
	va_list list;
	va_start(list, format);
	int n = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	size_t length = n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
	if (code == ERROR_SYSCALL) {
		n = snprintf(text + length, sizeof text - length, ": %s", strerror(error));
		if (n > 0)
			length = strlen(text);
	}
	warn("%s", text);
	channel_last_words(run_current_id(), code, text, length);
	_exit(1);
}

void warn(const char *format, ...)
{
	char text[MAX_ERROR_TEXT + 128];
	va_list list;
	va_start(list, format);
	int n = snprintf(text, sizeof text, "supervisor %s: ", name);
	if (n > 0 && (size_t)n < sizeof text)
		vsnprintf(text + n, sizeof text - (size_t)n, format, list);
	va_end(list);
	size_t length = strlen(text);
	text[length < sizeof text - 1 ? length : sizeof text - 2] = '\n';
	// The log is best effort: there is no other place to complain to.
	(void)!write(2, text, length + 1);
}

struct option {
	const char *flag;
	int file; // CG_…, or −1 for the others
};
static const struct option options[] = {
	{ "--fd-cpu", CG_CPU },
	{ "--fd-memory-limit", CG_MEMORY_LIMIT },
	{ "--fd-memory-peak", CG_MEMORY_PEAK },
	{ "--fd-memory-usage", CG_MEMORY_USAGE },
	{ "--fd-memory-stat", CG_MEMORY_STAT },
	{ "--fd-memory-events", CG_MEMORY_EVENTS },
	{ "--fd-memory-hits", CG_MEMORY_HITS },
	{ "--fd-pids-limit", CG_PIDS_LIMIT },
	{ "--fd-pids-events", CG_PIDS_EVENTS },
	{ "--fd-run-group", CG_RUN_GROUP },
};

static long number(const char *flag, const char *text, long min, long max)
{
	char *end;
	errno = 0;
	long v = strtol(text, &end, 10);
	if (errno || *end || end == text || v < min || v > max)
		die(ERROR_PROTOCOL, "%s: %s is not a number from %ld to %ld", flag, text, min, max);
	return v;
}

static void take_option(const char *flag, const char *value)
{
	if (!strcmp(flag, "--name")) {
		if (strlen(value) > MAX_NAME)
			die(ERROR_PROTOCOL, "--name: too long");
		name = value;
		return;
	}
	if (!strcmp(flag, "--uid")) {
		uid = (uid_t)number(flag, value, 0, 65535);
		return;
	}
	if (!strcmp(flag, "--nice")) {
		niceness = (int)number(flag, value, 0, 19);
		return;
	}
	if (!strcmp(flag, "--proc")) {
		if (strcmp(value, "pid") && strcmp(value, "all"))
			die(ERROR_PROTOCOL, "--proc: pid or all");
		proc_options = strcmp(value, "all") ? "hidepid=2,subset=pid" : "hidepid=2";
		return;
	}
	if (!strcmp(flag, "--root")) {
		if (strcmp(value, "skel") && strcmp(value, "own") && strcmp(value, "built"))
			die(ERROR_PROTOCOL, "--root: skel, own or built");
		root_is_built = !strcmp(value, "built");
		root_is_own = root_is_built || !strcmp(value, "own");
		return;
	}
	if (!strcmp(flag, "--cgroup")) {
		if (!cgroup_select(value))
			die(ERROR_PROTOCOL, "--cgroup: unknown back end %s", value);
		return;
	}
	if (!strcmp(flag, "--warm-arg")) {
		warm_argument(value);
		return;
	}
	if (!strcmp(flag, "--warm-limit-ms")) {
		warm_start_limit((int)number(flag, value, 1, 600000));
		return;
	}
	if (!strcmp(flag, "--warm-env")) {
		warm_variable(value);
		return;
	}
	if (!strcmp(flag, "--warm-light-env")) {
		warm_light_variable(value);
		return;
	}
	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
		if (!strcmp(flag, options[i].flag)) {
			cgroup_set_fd((enum cgroup_file)options[i].file, (int)number(flag, value, FD_PASSED_MIN, FD_PASSED_MAX));
			return;
		}
	die(ERROR_PROTOCOL, "unknown argument %s", flag);
}

static void close_off(void)
{
	pid_t parent = getppid();
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		die(ERROR_SYSCALL, "PR_SET_PDEATHSIG");
	// As PID 1 of a namespace the parent is outside, and its number reads 0.
	if (getppid() != parent)
		_exit(1);
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		die(ERROR_SYSCALL, "PR_SET_DUMPABLE");
	umask(0);
}

// A program starts with every signal at its default; what a parent of ours ignored would be inherited.
static void default_signals(void)
{
	sigset_t none;
	sigemptyset(&none);
	for (int s = 1; s < NSIG; s++)
		(void)signal(s, SIG_DFL); // refused for SIGKILL, SIGSTOP and libc's own
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0)
		die(ERROR_SYSCALL, "sigprocmask");
}

// nsjail mounts a file of its own for each text of its configuration; here they become files of the root itself, where
// that may be written.
static void settle_files(const char *folder)
{
	static char text[4096];
	char path[128];
	DIR *files = opendir(folder);
	for (const struct dirent *e; files && (e = readdir(files));) {
		int n = snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		int from = e->d_type == DT_REG && n > 0 && (size_t)n < sizeof path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		ssize_t length = from < 0 ? -1 : read(from, text, sizeof text);
		if (from >= 0)
			close(from);
		if (length < 0 || (size_t)length == sizeof text || umount2(path, 0) < 0)
			continue;
		int to = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
		if (to < 0 || write(to, text, (size_t)length) != length || fchmod(to, 0444) < 0)
			die(ERROR_SYSCALL, "writing %s", path);
		close(to);
	}
	if (files)
		closedir(files);
}

// Makes the mount points of what is fresh per run, below `root`.
static void make_points(const char *root)
{
	static const char *const points[] = { "proc", "work", "tmp", "dev", "dev/shm", "run" };
	char path[32];
	for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", root, points[i]);
		if (mkdir(path, 0755) < 0 && errno != EEXIST && errno != EROFS)
			die(ERROR_SYSCALL, "mkdir %s", path);
	}
}

// Makes /skel, closed for writing, the root of this namespace. What nsjail needed is left behind; a run's namespace starts
// as a copy of this one, and there is nothing in it to be taken away: an unmount in each run would cost it a grace period
// of the kernel (RCU), some 0.1 ms. Each mount of it costs every run some 4 microseconds to copy and to take apart.
static void enter_skel(void)
{
	settle_files("/skel/etc");
	make_points("/skel");
	if (mount(NULL, "/skel", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
		die(ERROR_SYSCALL, "making /skel read-only");
	if (mount("/proc", "/skel/proc", NULL, MS_MOVE, NULL) < 0 || mount("/run", "/skel/run", NULL, MS_MOVE, NULL) < 0)
		die(ERROR_SYSCALL, "moving proc and run into the root of runs");
	if (chdir("/skel") < 0 || syscall(SYS_pivot_root, ".", ".") < 0 || umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		die(ERROR_SYSCALL, "changing the root");
}

static void make_devices(void)
{
	static const struct {
		const char *path;
		unsigned minor;
	} devices[] = {
		{ "/dev/null", 3 }, { "/dev/zero", 5 }, { "/dev/full", 7 }, { "/dev/random", 8 }, { "/dev/urandom", 9 },
	};
	static const char *const links[][2] = { { "/proc/self/fd", "/dev/fd" },
						{ "/proc/self/fd/0", "/dev/stdin" },
						{ "/proc/self/fd/1", "/dev/stdout" },
						{ "/proc/self/fd/2", "/dev/stderr" } };
	enum { MEMORY_DEVICES = 1 };
	for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
		if (mknod(devices[i].path, S_IFCHR | 0666, makedev(MEMORY_DEVICES, devices[i].minor)) < 0)
			die(ERROR_SYSCALL, "mknod %s", devices[i].path);
	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		if (symlink(links[i][0], links[i][1]) < 0)
			die(ERROR_SYSCALL, "symlink %s", links[i][1]);
}

// The root is the runs' already (gVisor, whose sandbox ends when its first root is unmounted); what the wall has put there
// unasked is taken away, its devices too, which are more than runs need.
static void clear_root(void)
{
	static const char *const unasked[] = { "/sys", "/tmp", "/dev/pts", "/dev" };
	for (size_t i = 0; i < sizeof unasked / sizeof unasked[0]; i++)
		if (umount2(unasked[i], MNT_DETACH) < 0 && errno != EINVAL && errno != ENOENT)
			die(ERROR_SYSCALL, "umount %s", unasked[i]);
	if (rmdir("/sys") < 0 && errno != ENOENT)
		die(ERROR_SYSCALL, "rmdir /sys");
	make_points("");
	if (mount("dev", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=65536") < 0)
		die(ERROR_SYSCALL, "mount /dev");
	make_devices();
}

static void close_root(void)
{
	make_points("");
	if (mount(NULL, "/", NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) < 0)
		die(ERROR_SYSCALL, "making the root read-only");
}

static void say_hello(void)
{
	uint8_t payload[22 + MAX_NAME];
	uint8_t *at = payload;
	size_t length = strlen(name);
	put_u16(&at, PROTOCOL_VERSION);
	put_u16(&at, cgroup_number());
	put_u32(&at, (uint32_t)FEATURE_SECCOMP | (uid ? (uint32_t)FEATURE_OWN_UID : 0u) |
			      (warm_running(WARM_FULL) ? (uint32_t)FEATURE_WARM : 0u) | (uint32_t)FEATURE_LIVE | cgroup_features());
	put_u32(&at, baseline.fds);
	put_u32(&at, baseline.mounts);
	put_u32(&at, baseline.processes);
	put_u16(&at, (uint16_t)length);
	memcpy(at, name, length);
	channel_send(FRAME_HELLO, 0, 0, payload, (size_t)(at - payload) + length);
}

static void reset(void)
{
	if (window_outstanding())
		die(ERROR_PROTOCOL, "RESET while a run is outstanding");
	window_forget();
	struct counts now = count_jail();
	bool clean = now.fds == baseline.fds && now.mounts == baseline.mounts && now.processes == baseline.processes &&
		     leftovers_gone();
	uint8_t payload[24];
	uint8_t *at = payload;
	put_u32(&at, clean);
	put_u32(&at, now.fds);
	put_u32(&at, now.mounts);
	put_u32(&at, now.processes);
	put_u64(&at, cgroup_memory_usage());
	channel_send(FRAME_CLEAN, 0, 0, payload, sizeof payload);
}

static void handle(const struct frame *f)
{
	if (f->type == FRAME_RESET)
		reset();
	else
		window_handle(f);
}

static void serve_once(void)
{
	struct pollfd fds[1 + RUN_FDS];
	run_start_next();
	uint64_t next = limits_enforce();
	nfds_t n = run_poll_fds(fds + 1);
	fds[0] = (struct pollfd){ .fd = channel_fd(),
				  .events = (short)(POLLIN | POLLRDHUP | (channel_due() ? POLLOUT : 0)) };
	uint64_t now = now_ns();
	uint64_t wait = next == NEVER ? 0 : next > now ? next - now : 0;
	struct timespec t = { .tv_sec = (time_t)(wait / NS_PER_S), .tv_nsec = (long)(wait % NS_PER_S) };
	if (ppoll(fds, n + 1, next == NEVER ? NULL : &t, NULL) < 0) {
		if (errno != EINTR)
			die(ERROR_SYSCALL, "ppoll");
		return;
	}
	run_poll_done(fds + 1, n);
	if (fds[0].revents & (POLLIN | POLLRDHUP | POLLHUP | POLLERR))
		channel_read(handle);
	if (channel_due())
		channel_flush();
}

int main(int argc, char **argv)
{
	channel_open();
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 == argc)
			die(ERROR_PROTOCOL, "%s has no value", argv[i]);
		take_option(argv[i], argv[i + 1]);
	}
	close_off();
	default_signals();
	cgroup_open();
	// Nothing that a run mounts may reach this namespace.
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		die(ERROR_SYSCALL, "making mounts private");
	// Every run's uts namespace starts as a copy of this name.
	if (sethostname("assay", 5) < 0)
		die(ERROR_SYSCALL, "sethostname");
	if (root_is_own && !root_is_built)
		clear_root();
	if (root_is_own)
		close_root();
	else
		enter_skel();
	seccomp_build();
	staging_open(uid);
	window_open();
	run_open(uid, niceness);
	long filtered = seccomp_load_jail();
	if (filtered < 0) {
		errno = (int)-filtered;
		die(ERROR_SYSCALL, "seccomp filter of the jail");
	}
	// While an exec still gives the runtime its capabilities.
	warm_start();
	close_capabilities();
	leftovers_open();
	baseline = count_jail();
	say_hello();
	channel_flush();
	for (;;)
		serve_once();
}
