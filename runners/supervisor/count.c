// Counts what lives in the jail, from /proc: descriptors and mounts of the supervisor, processes, and (for
// hosts without cgroups) memory and CPU of the tree. No allocation: getdents64 into a static buffer.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "supervisor.h"

struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t length;
	uint8_t type;
	char name[];
};

static _Alignas(struct entry) char buffer[32768];

// Calls `each` (if any) for every entry whose name is a number; returns how many there are, −1 if there is no such folder
// (any more).
static int64_t entries_if_there(const char *path, void (*each)(int dir, const char *name))
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return -1;
	int64_t count = 0;
	for (;;) {
		long n = syscall(SYS_getdents64, dir, buffer, sizeof buffer);
		if (n <= 0) {
			close(dir);
			return n < 0 ? -1 : count;
		}
		for (long at = 0; at < n;) {
			const struct entry *e = (const struct entry *)(const void *)(buffer + at);
			at += e->length;
			if (e->name[0] < '0' || e->name[0] > '9')
				continue;
			count++;
			if (each)
				each(dir, e->name);
		}
	}
}

static uint32_t numeric_entries(const char *path, void (*each)(int dir, const char *name))
{
	const int64_t count = entries_if_there(path, each);
	if (count < 0)
		die(ERROR_SYSCALL, "reading %s", path);
	return (uint32_t)count;
}

static uint32_t count_lines(const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		die(ERROR_SYSCALL, "open %s", path);
	uint32_t lines = 0;
	for (;;) {
		ssize_t n = read(file, buffer, sizeof buffer);
		if (n < 0)
			die(ERROR_SYSCALL, "read %s", path);
		if (n == 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			lines += buffer[i] == '\n';
	}
	close(file);
	return lines;
}

struct counts count_jail(void)
{
	return (struct counts){
		// Less the descriptor that reads the directory.
		.fds = numeric_entries("/proc/self/fd", NULL) - 1,
		.mounts = count_lines("/proc/self/mounts"),
		.processes = numeric_entries("/proc", NULL),
	};
}

// What follows the name in /proc/PID/stat, which may hold blanks and brackets itself: field 3 and on.
static char *after_name(char *stat)
{
	char *end = strrchr(stat, ')');
	return end ? end + 1 : NULL;
}

static struct tree tree;
static uint64_t shared_max;

static bool read_small(int dir, const char *pid, const char *file, char *out, size_t size)
{
	char path[64];
	size_t n = strlen(pid);
	if (n > 20)
		return false;
	memcpy(path, pid, n);
	strcpy(path + n, file);
	int f = openat(dir, path, O_RDONLY | O_CLOEXEC);
	if (f < 0)
		return false;
	ssize_t got = read(f, out, size - 1);
	close(f);
	if (got <= 0)
		return false;
	out[got] = 0;
	return true;
}

// A process may vanish while it is looked at: whatever cannot be read counts as gone.
static void add_process(int dir, const char *pid)
{
	char text[1024];
	if (!strcmp(pid, "1") || warm_is(atoi(pid)) || !read_small(dir, pid, "/statm", text, sizeof text))
		return;
	char *at = text;
	(void)strtoull(at, &at, 10);
	uint64_t resident = strtoull(at, &at, 10);
	uint64_t shared = strtoull(at, &at, 10);
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	tree.processes++;
	tree.memory_bytes += (resident - (shared < resident ? shared : resident)) * page;
	if (shared * page > shared_max)
		shared_max = shared * page;
	if (!read_small(dir, pid, "/stat", text, sizeof text))
		return;
	// Fields 14 to 17 (utime stime cutime cstime).
	at = after_name(text);
	if (!at)
		return;
	for (int field = 3; field < 14; field++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	uint64_t ticks = 0;
	for (int field = 14; field <= 17; field++)
		ticks += strtoull(at, &at, 10);
	tree.cpu_ns += ticks * (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
}

struct tree measure_tree(void)
{
	tree = (struct tree){ 0 };
	shared_max = 0;
	(void)numeric_entries("/proc", add_process);
	// File-backed pages are mostly the same ones in every process of a tree: count the largest set once.
	tree.memory_bytes += shared_max;
	return tree;
}

enum { PIDS_MAX = 256 };

static struct {
	pid_t pids[PIDS_MAX];
	size_t count;
	uint64_t used_ns, longest;
	int niceness;
} waiting;

static void note_process(int dir, const char *pid)
{
	(void)dir;
	const pid_t number = atoi(pid);
	if (number != 1 && !warm_is(number) && waiting.count < PIDS_MAX)
		waiting.pids[waiting.count++] = number;
}

// Field 19. Who has stood back by itself has nobody to blame for its waiting.
static bool is_nicer(int dir, const char *thread)
{
	char text[1024];
	char *at = read_small(dir, thread, "/stat", text, sizeof text) ? after_name(text) : NULL;
	for (int field = 3; at && field < 19; field++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	return !at || strtol(at, NULL, 10) > waiting.niceness;
}

// The numbers of schedstat are the time on a core and the time on its queue (Documentation/scheduler/sched-stats.rst). What
// others of the run used meanwhile was no stranger's.
static void note_wait(int dir, const char *thread)
{
	char text[128];
	if (!read_small(dir, thread, "/schedstat", text, sizeof text))
		return;
	char *at = text;
	const uint64_t own = strtoull(at, &at, 10), wait = strtoull(at, NULL, 10);
	const uint64_t others = waiting.used_ns > own ? waiting.used_ns - own : 0;
	const uint64_t lost = wait > others ? wait - others : 0;
	if (lost > waiting.longest && !is_nicer(dir, thread))
		waiting.longest = lost;
}

uint64_t longest_wait_ns(uint64_t used_ns, int niceness)
{
	waiting.count = 0;
	waiting.longest = 0;
	waiting.used_ns = used_ns;
	waiting.niceness = niceness;
	(void)numeric_entries("/proc", note_process);
	for (size_t i = 0; i < waiting.count; i++) {
		char path[32];
		(void)snprintf(path, sizeof path, "/proc/%d/task", (int)waiting.pids[i]);
		(void)entries_if_there(path, note_wait);
	}
	return waiting.longest;
}

static struct {
	pid_t parent, child;
	uint64_t since;
} search;

static void look_for_child(int dir, const char *pid)
{
	char text[1024];
	if (!read_small(dir, pid, "/stat", text, sizeof text))
		return;
	char *at = after_name(text);
	if (!at)
		return;
	uint64_t fields[23] = { 0 };
	for (int field = 3; field < 23; field++) {
		at += strspn(at, " ");
		fields[field] = strtoull(at, NULL, 10);
		at += strcspn(at, " ");
	}
	// Field 4 is the parent, 22 the time of its start.
	if ((pid_t)fields[4] != search.parent || (search.child && search.since <= fields[22]))
		return;
	search.child = atoi(pid);
	search.since = fields[22];
}

pid_t oldest_child(pid_t parent)
{
	search.parent = parent;
	search.child = 0;
	(void)numeric_entries("/proc", look_for_child);
	return search.child;
}
