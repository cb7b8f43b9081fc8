// Makes a jail where nsjail cannot: `enclose --config FILE` enters fresh namespaces, builds the root that FILE describes
// and executes the supervisor in it, as PID 1. For gVisor's kernel, which has no secure bits and speaks a netlink that
// libnl does not understand. `enclose --kernel-log` prints the beginning of the kernel's log.
//
// FILE holds words, each ended by a NUL, so that no path can end its word; they are carried out in their order:
//   --map INSIDE OUTSIDE       one uid and gid of the jail; first of all, the supervisor's before others
//   --folder PATH, --file PATH TEXT, --link PATH TO    what the root holds
//   --tmpfs PATH OPTIONS, --proc PATH ""               what is mounted there
//   --bind SOURCE PATH         the same, read-only; made a file or a folder first where nothing is
//   --device SOURCE PATH       the same, to read and write
//   -- PROGRAM ARG…

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONFIG_BYTES = 256 << 10, WORDS = 8192, PATH_BYTES = 4096, LOG_BYTES = 4096, KLOG_READ_ALL = 3 };
#define SPACES (CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWNET)
// Where the root is built, in a file system of its own that goes with the old root; no toolchain lies there.
#define SCRATCH "/sys"
#define PLACE SCRATCH "/root"
#define STAGE SCRATCH "/stage"

static char config[CONFIG_BYTES];
static char *words[WORDS + 1];
static size_t count;

static _Noreturn void die(const char *what, const char *which)
{
	fprintf(stderr, "enclose: %s %s: %s\n", what, which, strerror(errno));
	_exit(1);
}

static void must(long result, const char *what, const char *which)
{
	if (result < 0)
		die(what, which);
}

static _Noreturn void refuse(const char *what, const char *which)
{
	errno = EINVAL;
	die(what, which);
}

static void read_config(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	must(fd, "open", path);
	ssize_t length = read(fd, config, sizeof config);
	must(length, "read", path);
	close(fd);
	if (length == 0 || length == sizeof config || config[length - 1])
		refuse("empty, cut or too long:", path);
	for (char *at = config; at < config + length; at += strlen(at) + 1) {
		if (count == WORDS)
			refuse("too many words:", path);
		words[count++] = at;
	}
}

/* Outside: the ids, and the end */

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	must(fd, "open", path);
	must(write(fd, text, strlen(text)), "write", path);
	close(fd);
}

static void map_ids(pid_t child)
{
	static const char *const files[] = { "uid_map", "gid_map" };
	char path[64], text[256] = "";
	for (size_t i = 0; i + 2 < count && !strcmp(words[i], "--map"); i += 3) {
		size_t at = strlen(text);
		int n = snprintf(text + at, sizeof text - at, "%s %s 1\n", words[i + 1], words[i + 2]);
		if (n < 0 || (size_t)n >= sizeof text - at)
			refuse("too many ids:", words[i + 1]);
	}
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		snprintf(path, sizeof path, "/proc/%d/%s", child, files[i]);
		write_text(path, text);
	}
}

// `go` stays open for as long as this process lives, at which the child looks. The channel and what the jail may read
// are the child's alone, so that their other ends see when it is gone.
static _Noreturn void release(pid_t child, int go)
{
	int status;
	must(dup2(go, 0), "descriptor", "");
	must(write(0, "g", 1), "write", "");
	must(close_range(3, ~0u, 0), "close_range", "");
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			die("waitpid", "");
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Inside: the root, and the supervisor */

static char place[sizeof PLACE + PATH_BYTES];

// Where a path of the new root is now, with the folders above it.
static const char *placed(const char *path)
{
	if (path[0] != '/' || strlen(path) >= PATH_BYTES)
		refuse("no path:", path);
	strcpy(stpcpy(place, PLACE), path);
	for (char *at = place + sizeof PLACE; (at = strchr(at, '/')); *at++ = '/') {
		*at = 0;
		must(mkdir(place, 0755) < 0 && errno != EEXIST ? -1 : 0, "mkdir", place);
	}
	return place;
}

static void make_folder(const char *path, const char *unused)
{
	(void)unused;
	must(mkdir(placed(path), 0755) < 0 && errno != EEXIST ? -1 : 0, "mkdir", path);
}

static void make_file(const char *path, const char *text)
{
	int fd = open(placed(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0444);
	must(fd, "create", path);
	must(write(fd, text, strlen(text)), "write", path);
	close(fd);
}

static void make_link(const char *path, const char *to)
{
	must(symlink(to, placed(path)), "symlink", path);
}

static void mount_tmpfs(const char *path, const char *options)
{
	make_folder(path, NULL);
	must(mount("tmpfs", place, "tmpfs", MS_NOSUID | MS_NODEV, options), "mount of", path);
}

static void mount_proc(const char *path, const char *options)
{
	make_folder(path, NULL);
	must(mount("proc", place, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, options), "mount of", path);
}

// A read-only mount does not keep gVisor's truncate, utimensat and setxattr from a file that its mode lets everybody write.
// An overlay without an upper layer does. It takes folders only, and two of them; a file is mounted from its folder's.
static void mount_overlay(const char *folder, const char *layers, const char *at)
{
	static char options[2 * PATH_BYTES];
	if (strpbrk(folder, ":,\\"))
		refuse("a path with one of : , \\ cannot be shown:", folder);
	snprintf(options, sizeof options, "lowerdir=%s%s", folder, layers);
	must(mount("none", at, "overlay", MS_NOSUID | MS_NODEV, options), "overlay of", folder);
}

static void mount_file(char *source, const char *path, const char *layers)
{
	struct stat at;
	if (stat(placed(path), &at) < 0)
		make_file(path, "");
	char *name = strrchr(source, '/');
	char staged[sizeof STAGE + PATH_BYTES];
	snprintf(staged, sizeof staged, "%s%s", STAGE, name);
	*name = 0;
	mount_overlay(*source ? source : "/", layers, STAGE);
	must(mount(staged, placed(path), NULL, MS_BIND, NULL), "mount of", path);
	must(umount2(STAGE, 0), "unmounting", STAGE);
}

static void mount_bind(const char *source, const char *path)
{
	static const char layers[] = ":" SCRATCH "/empty";
	static char real[PATH_MAX];
	struct stat of;
	if (!realpath(source, real) || stat(real, &of) < 0)
		die("stat", source);
	if (S_ISDIR(of.st_mode)) {
		make_folder(path, NULL);
		mount_overlay(real, layers, place);
	} else
		mount_file(real, path, layers);
	const unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
	must(mount(NULL, place, NULL, flags, NULL), "read-only mount of", source);
}

// What is changed of it, the times for instance, is this jail's alone.
static void mount_device(const char *source, const char *path)
{
	static char real[PATH_MAX];
	if (!realpath(source, real))
		die("realpath", source);
	mount_file(real, path, ",upperdir=" SCRATCH "/upper,workdir=" SCRATCH "/work");
}

static const struct step {
	const char *word;
	void (*take)(const char *, const char *);
} steps[] = {
	{ "--file", make_file },   { "--link", make_link }, { "--folder", make_folder },
	{ "--tmpfs", mount_tmpfs }, { "--proc", mount_proc }, { "--bind", mount_bind },
	{ "--device", mount_device },
};

static void take_step(char *const *word)
{
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if (!strcmp(word[0], steps[i].word)) {
			steps[i].take(word[1], word[2]);
			return;
		}
	if (strcmp(word[0], "--map"))
		refuse("unknown word", word[0]);
}

// Answers where the command begins.
static char **build_root(void)
{
	// Nothing from outside comes in later, and nothing of this goes out.
	must(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "making private", "/");
	static const char *const parts[] = { "empty", "stage", "upper", "work", "root" };
	must(mount("scratch", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=65536"), "mount of", SCRATCH);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		snprintf(place, sizeof place, "%s/%s", SCRATCH, parts[i]);
		must(mkdir(place, 0755), "mkdir", place);
	}
	must(mount("root", PLACE, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=4194304"), "mount of", PLACE);
	size_t at = 0;
	for (; at + 3 < count && strcmp(words[at], "--"); at += 3)
		take_step(words + at);
	if (at + 1 >= count || strcmp(words[at], "--"))
		refuse("no command:", words[count - 1]);
	return words + at + 1;
}

static void enter_root(void)
{
	must(chdir(PLACE), "chdir", PLACE);
	must(syscall(SYS_pivot_root, ".", "."), "pivot_root", PLACE);
	must(umount2(".", MNT_DETACH), "unmounting", "the old root");
	must(chdir("/"), "chdir", "/");
}

static void become_root(void)
{
	must(setgroups(0, NULL) < 0 && errno != EPERM ? -1 : 0, "setgroups", "");
	must(setresgid(0, 0, 0), "setresgid", "0");
	must(setresuid(0, 0, 0), "setresuid", "0");
}

// `go` ends where the ids are mapped, or the process outside has ended.
static _Noreturn void inside(int go)
{
	char byte;
	if (read(go, &byte, 1) != 1)
		_exit(1);
	become_root();
	// Not kept when ids change, so it comes after them; the parent may have ended before.
	must(prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0), "PR_SET_PDEATHSIG", "");
	struct pollfd outside = { .fd = go };
	if (poll(&outside, 1, 0) < 0 || outside.revents & POLLHUP)
		_exit(1);
	must(setsid(), "setsid", "");
	char **command = build_root();
	enter_root();
	char *const environment[] = { NULL };
	execve(command[0], command, environment);
	die("exec", command[0]);
}

static _Noreturn void print_kernel_log(void)
{
	static char text[LOG_BYTES];
	int length = klogctl(KLOG_READ_ALL, text, sizeof text);
	must(length, "the kernel's log", "");
	(void)!write(1, text, (size_t)length);
	_exit(0);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--kernel-log"))
		print_kernel_log();
	if (argc != 3 || strcmp(argv[1], "--config"))
		refuse("usage:", "enclose --config FILE, or --kernel-log");
	read_config(argv[2]);
	int go[2];
	must(pipe2(go, O_CLOEXEC), "pipe", "");
	const pid_t child = (pid_t)syscall(SYS_clone, SPACES | SIGCHLD, NULL, NULL, NULL, NULL);
	must(child, "clone with new namespaces", "");
	if (child == 0) {
		close(go[1]);
		inside(go[0]);
	}
	close(go[0]);
	map_ids(child);
	release(child, go[1]);
}
