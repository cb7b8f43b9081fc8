// Files: what the service sends is staged in tmpfs mounts under /run, one for the program and one for each
// run of the window; each run gets a fresh tmpfs that is filled from them. That one is mounted nowhere but in the run's
// own namespace, and is reached here by a descriptor. Every path is walked component by
// component below a directory descriptor, and no component may be a symbolic link.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "supervisor.h"

#define STAGE_OPTIONS "mode=0755,size=128m,nr_inodes=16384"
// Where the run's tmpfs is mounted if the kernel has no detached mounts (gVisor).
#define RUN_MOUNT "/run/w"

// Executable program files from this size on are bound read-only instead of copied: a copy costs some 0.2 ms a MiB.
enum { COPY_BYTES = 1 << 30, BIND_MIN_BYTES = 64 << 10, BOUND_MAX = 4 };

// Of the kernel's mount API, which the C library of the build host may not know yet.
enum {
	NR_move_mount = 429,
	NR_fsopen,
	NR_fsconfig,
	NR_fsmount,
	FSOPEN_CLOSE_ON_EXEC = 1,
	FSCONFIG_STRING = 1,
	FSCONFIG_CREATE = 6,
	FSMOUNT_CLOSE_ON_EXEC = 1,
	ATTRIBUTE_NOSUID = 2,
	ATTRIBUTE_NODEV = 4,
	MOVE_FROM_EMPTY_PATH = 4,
};

static const char *const stage_paths[STAGES] = { "/run/0", "/run/1", "/run/p" };
static bool stage_used[STAGES];
static bool stage_exact[STAGES]; // modes, times and links are copied too
static bool exact; // of the stage that is copied
static uint64_t stage_bytes[STAGES];
static int run_files = -1; // root of the run's tmpfs
static bool run_mounted; // at RUN_MOUNT, instead of being detached
static struct {
	unsigned count;
	char names[BOUND_MAX][256];
} bound; // of the program, for the run's own namespace to mount over empty files
static uid_t run_uid;

static void mount_stage(unsigned stage)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | (stage == STAGE_PROGRAM ? 0 : MS_NOEXEC);
	if (mount("stage", stage_paths[stage], "tmpfs", flags, STAGE_OPTIONS) < 0)
		die(ERROR_SYSCALL, "mount %s", stage_paths[stage]);
	stage_used[stage] = stage_exact[stage] = false;
	stage_bytes[stage] = 0;
}

uint64_t staging_bytes(void)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < STAGES; i++)
		sum += stage_bytes[i];
	return sum;
}

void staging_open(uid_t uid)
{
	run_uid = uid;
	if (mkdir(RUN_MOUNT, 0700) < 0 && errno != EEXIST)
		die(ERROR_SYSCALL, "mkdir " RUN_MOUNT);
	for (unsigned i = 0; i < STAGES; i++) {
		if (mkdir(stage_paths[i], 0700) < 0 && errno != EEXIST)
			die(ERROR_SYSCALL, "mkdir %s", stage_paths[i]);
		mount_stage(i);
	}
}

void staging_clear(unsigned stage)
{
	if (!stage_used[stage])
		return;
	if (umount2(stage_paths[stage], 0) < 0)
		die(ERROR_SYSCALL, "umount %s", stage_paths[stage]);
	mount_stage(stage);
}

static int open_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		die(ERROR_SYSCALL, "open %s", path);
	return fd;
}

// gVisor follows a link in spite of O_NOFOLLOW where O_DIRECTORY is asked for too.
static bool is_folder(int dir, const char *name)
{
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	errno = ENOTDIR;
	return S_ISDIR(st.st_mode);
}

int staging_parent(int top, char *path, bool create, uid_t owner, char **last)
{
	int dir = fcntl(top, F_DUPFD_CLOEXEC, 3);
	if (dir < 0)
		die(ERROR_SYSCALL, "dup");
	char *name = path;
	for (char *slash; (slash = strchr(name, '/')); name = slash + 1) {
		*slash = 0;
		bool made = create && mkdirat(dir, name, 0755) == 0;
		int next = is_folder(dir, name) ? openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
		int error = errno;
		if (next >= 0 && made && owner && fchown(next, owner, owner) < 0)
			die(ERROR_SYSCALL, "chown %s", name);
		*slash = '/';
		close(dir);
		if (next < 0) {
			errno = error;
			return -1;
		}
		dir = next;
	}
	*last = name;
	return dir;
}

static void write_all(int fd, const uint8_t *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);
		if (n < 0)
			die(ERROR_SYSCALL, "writing a staged file");
		bytes += n;
		length -= (size_t)n;
	}
}

void staging_file(unsigned stage, const struct frame *f)
{
	struct cursor c = cursor_of(f->payload, f->length);
	uint16_t length = take_u16(&c);
	const uint8_t *name = take_bytes(&c, length);
	if (!name || !path_allowed(name, length))
		die(ERROR_PROTOCOL, "FILE: path is not allowed");
	char path[MAX_PATH_BYTES + 1];
	memcpy(path, name, length);
	path[length] = 0;

	stage_used[stage] = true;
	int top = open_dir(stage_paths[stage]);
	char *last;
	int dir = staging_parent(top, path, true, 0, &last);
	if (dir < 0)
		die(ERROR_PROTOCOL, "FILE: a parent of the path is not a directory");
	bool append = f->flags & FILE_APPEND;
	int fd = openat(dir, last, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | (append ? O_APPEND : O_CREAT | O_TRUNC), 0644);
	if (fd < 0 && (errno == EISDIR || errno == ENOENT))
		die(ERROR_PROTOCOL, "FILE: the path is a directory, or nothing to append to");
	if (fd < 0)
		die(ERROR_SYSCALL, "FILE: open");
	// The mode is set by each frame of a file, so the last one decides.
	if (fchmod(fd, f->flags & FILE_EXECUTABLE ? 0755 : 0644) < 0)
		die(ERROR_SYSCALL, "FILE: chmod");
	size_t content = (size_t)(c.end - c.at);
	content = (content + 4095) & ~(size_t)4095;
	cgroup_own_memory(content);
	stage_bytes[stage] += content;
	write_all(fd, c.at, (size_t)(c.end - c.at));
	close(fd);
	close(dir);
	close(top);
}

// What a copy may fail with by the caller's doing: the file system is full, or a file of the run and a folder of
// the program (or the reverse) have the same path. Anything else is ours.
static int callers_error(int error, const char *what)
{
	if (error != ENOSPC && error != EISDIR && error != ENOTDIR) {
		errno = error;
		die(ERROR_SYSCALL, "%s", what);
	}
	return error;
}

// The file is to be bound: only an empty one is made in its place.
static bool bind_later(const struct stat *st, const char *name)
{
	if (!(st->st_mode & 0100) || st->st_size < BIND_MIN_BYTES || bound.count == BOUND_MAX)
		return false;
	strcpy(bound.names[bound.count++], name);
	return true;
}

static bool keep_times(int to, const struct stat *st)
{
	return !exact || futimens(to, (const struct timespec[2]){ st->st_mtim, st->st_mtim }) == 0;
}

// Copies one regular file into a new one of the same mode, owned by the run's uid. Returns 0 or an errno.
static int copy_file(int from_dir, int to_dir, const char *name, bool may_bind)
{
	int from = openat(from_dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	if (from < 0 || fstat(from, &st) < 0)
		die(ERROR_SYSCALL, "opening a staged file");
	int to = openat(to_dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	int error = to < 0 ? errno : 0;
	bool copied = error || (may_bind && bind_later(&st, name));
	for (ssize_t n = 1; !error && !copied && n;) {
		n = sendfile(to, from, NULL, COPY_BYTES);
		error = n < 0 ? errno : 0;
	}
	if (!error && (fchmod(to, st.st_mode & 0777) < 0 || fchown(to, run_uid, run_uid) < 0 || !keep_times(to, &st)))
		die(ERROR_SYSCALL, "mode or owner of a staged file");
	if (to >= 0)
		close(to);
	close(from);
	return error ? callers_error(error, "copying a staged file") : 0;
}

struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

enum { TREE_BUFFER = 4096, DT_DIRECTORY = 4, DT_LINK = 10 };

static int copy_tree(int from, int to, bool may_bind);

static int copy_dir(int from, int to, const char *name)
{
	if (mkdirat(to, name, 0755) < 0 && errno != EEXIST)
		return callers_error(errno, "mkdir in the work folder");
	int a = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (a < 0)
		die(ERROR_SYSCALL, "opening a staged folder");
	int b = openat(to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int error = b < 0 ? callers_error(errno, "opening a folder of the work folder") : 0;
	if (!error && fchown(b, run_uid, run_uid) < 0)
		die(ERROR_SYSCALL, "chown in the work folder");
	if (!error)
		error = copy_tree(a, b, false);
	struct stat st;
	if (!error && exact && (fstat(a, &st) < 0 || fchmod(b, st.st_mode & 0777) < 0 || !keep_times(b, &st)))
		die(ERROR_SYSCALL, "mode of a staged folder");
	close(a);
	if (b >= 0)
		close(b);
	return error;
}

static int copy_link(int from, int to, const char *name)
{
	char target[MAX_TARGET_BYTES + 1];
	struct stat st;
	ssize_t n = readlinkat(from, name, target, sizeof target);
	if (n < 0 || (size_t)n == sizeof target || fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		die(ERROR_SYSCALL, "reading a staged link");
	target[n] = 0;
	if (symlinkat(target, to, name) < 0)
		return callers_error(errno, "making a link");
	const struct timespec times[2] = { st.st_mtim, st.st_mtim };
	if (fchownat(to, name, run_uid, run_uid, AT_SYMLINK_NOFOLLOW) < 0 ||
	    utimensat(to, name, times, AT_SYMLINK_NOFOLLOW) < 0)
		die(ERROR_SYSCALL, "owner or times of a link");
	return 0;
}

// Recursion is bounded by MAX_PATH_DEPTH: stages hold only what staging_file made.
static int copy_tree(int from, int to, bool may_bind)
{
	_Alignas(struct entry) char list[TREE_BUFFER];
	for (;;) {
		long n = syscall(SYS_getdents64, from, list, sizeof list);
		if (n < 0)
			die(ERROR_SYSCALL, "listing a stage");
		if (n == 0)
			return 0;
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(const void *)(list + at);
			at += e->length;
			if (!strcmp(e->name, ".") || !strcmp(e->name, ".."))
				continue;
			int error = e->type == DT_DIRECTORY ? copy_dir(from, to, e->name) :
				    e->type == DT_LINK ? copy_link(from, to, e->name) :
							 copy_file(from, to, e->name, may_bind);
			if (error)
				return error;
		}
	}
}

static void make_dir(int top, const char *name, uid_t owner, mode_t mode)
{
	// The umask is 0.
	if (mkdirat(top, name, mode) < 0 || (owner && fchownat(top, name, owner, owner, AT_SYMLINK_NOFOLLOW) < 0))
		die(ERROR_SYSCALL, "mkdir %s", name);
}

// Makes a tmpfs that is mounted nowhere. Returns −1 with errno.
static int detached_tmpfs(const char *bytes, const char *inodes)
{
	const char *const options[][2] = { { "size", bytes }, { "nr_inodes", inodes }, { "mode", "0700" } };
	int context = (int)syscall(NR_fsopen, "tmpfs", FSOPEN_CLOSE_ON_EXEC);
	if (context < 0)
		return -1;
	long done = 0;
	for (size_t i = 0; i < sizeof options / sizeof options[0] && done == 0; i++)
		done = syscall(NR_fsconfig, context, FSCONFIG_STRING, options[i][0], options[i][1], 0);
	if (done == 0)
		done = syscall(NR_fsconfig, context, FSCONFIG_CREATE, NULL, NULL, 0);
	if (done == 0)
		done = syscall(NR_fsmount, context, FSMOUNT_CLOSE_ON_EXEC, ATTRIBUTE_NOSUID | ATTRIBUTE_NODEV);
	int error = errno;
	close(context);
	errno = error;
	return (int)done;
}

static int mounted_tmpfs(const char *bytes, const char *inodes)
{
	char options[96];
	snprintf(options, sizeof options, "mode=0700,size=%s,nr_inodes=%s", bytes, inodes);
	if (mount("run", RUN_MOUNT, "tmpfs", MS_NOSUID | MS_NODEV, options) < 0)
		return -1;
	run_mounted = true;
	return open_dir(RUN_MOUNT);
}

static void make_run_files(const struct request *q)
{
	char bytes[24], inodes[24];
	snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)q->disk_bytes);
	// The folders work, tmp, shm and the root take an inode each.
	snprintf(inodes, sizeof inodes, "%llu", (unsigned long long)q->inodes + 4);
	run_files = run_mounted ? -1 : detached_tmpfs(bytes, inodes);
	if (run_files < 0 && (run_mounted || errno == ENOSYS))
		run_files = mounted_tmpfs(bytes, inodes);
	if (run_files < 0)
		die(ERROR_SYSCALL, "mount of the run's file system");
}

int staging_make(const struct request *q, unsigned stage)
{
	int error = 0;
	make_run_files(q);
	make_dir(run_files, "work", run_uid, 0755);
	make_dir(run_files, "tmp", 0, 01777);
	make_dir(run_files, "shm", 0, 01777);
	int work = staging_work();
	bound.count = 0;
	const unsigned order[] = { STAGE_PROGRAM, stage };
	for (unsigned i = 0; i < 2 && !error; i++) {
		if (!stage_used[order[i]])
			continue;
		int from = open_dir(stage_paths[order[i]]);
		exact = stage_exact[order[i]];
		// Files of one run alone may be written over the program's, and under a mount they could not.
		error = copy_tree(from, work, order[i] == STAGE_PROGRAM && !stage_used[stage]);
		close(from);
	}
	close(work);
	return error;
}

int staging_files(void)
{
	return run_files;
}

static long bind_program_file(const char *name)
{
	char from[300], to[300];
	snprintf(from, sizeof from, "%s/%s", stage_paths[STAGE_PROGRAM], name);
	snprintf(to, sizeof to, "/work/%s", name);
	long result = raw(SYS_mount, from, to, NULL, MS_BIND, NULL);
	if (result < 0)
		return result;
	return raw(SYS_mount, NULL, to, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL);
}

long staging_attach(int files)
{
	static const char *const folders[][2] = { { RUN_MOUNT "/work", "/work" },
						  { RUN_MOUNT "/tmp", "/tmp" },
						  { RUN_MOUNT "/shm", "/dev/shm" } };
	long result = 0;
	if (!run_mounted)
		result = raw(NR_move_mount, files, "", AT_FDCWD, RUN_MOUNT, MOVE_FROM_EMPTY_PATH);
	for (size_t i = 0; i < sizeof folders / sizeof folders[0] && result >= 0; i++)
		result = raw(SYS_mount, folders[i][0], folders[i][1], NULL, MS_BIND, NULL);
	for (unsigned i = 0; i < bound.count && result >= 0; i++)
		result = bind_program_file(bound.names[i]);
	// Over our own folders, so that nothing of other runs is in reach.
	return result < 0 ? result : raw(SYS_mount, RUN_MOUNT, "/run", NULL, MS_BIND, NULL);
}

bool staging_drop(void)
{
	close(run_files);
	run_files = -1;
	if (!run_mounted || umount2(RUN_MOUNT, 0) == 0)
		return true;
	if (errno != EBUSY)
		die(ERROR_SYSCALL, "umount of the run's file system");
	return false;
}

int staging_work(void)
{
	int fd = openat(run_files, "work", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		die(ERROR_SYSCALL, "open work");
	return fd;
}

int staging_exact(unsigned stage)
{
	stage_used[stage] = stage_exact[stage] = true;
	return open_dir(stage_paths[stage]);
}

uint32_t staging_full(void)
{
	struct statfs s;
	if (fstatfs(run_files, &s) < 0)
		die(ERROR_SYSCALL, "statfs");
	return (s.f_bfree == 0 ? (uint32_t)RESULT_DISK_FULL : 0u) | (s.f_ffree == 0 ? (uint32_t)RESULT_INODES_FULL : 0u);
}
