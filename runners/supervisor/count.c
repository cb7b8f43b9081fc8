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

int64_t entries_if_there(const char *path, void (*each)(int dir, const char *name))
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

// A name may hold blanks and brackets itself.
char *stat_field(const char *stat, int field)
{
	char *at = strrchr(stat, ')');
	if (!at)
		return NULL;
	at++;
	for (int n = 3;; n++) {
		at += strspn(at, " ");
		if (n == field)
			return at;
		at += strcspn(at, " ");
	}
}

uint64_t tick_ns(void)
{
	return NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
}

static struct tree tree;
static uint64_t shared_max;

bool read_small(int dir, const char *pid, const char *file, char *out, size_t size)
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
	at = stat_field(text, 14);
	if (!at)
		return;
	uint64_t ticks = 0;
	for (int field = 14; field <= 17; field++)
		ticks += strtoull(at, &at, 10);
	tree.cpu_ns += ticks * tick_ns();
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

static struct {
	pid_t parent, child;
	uint64_t since;
} search;

static void look_for_child(int dir, const char *pid)
{
	char text[1024];
	if (!read_small(dir, pid, "/stat", text, sizeof text))
		return;
	const char *parent = stat_field(text, 4), *start = stat_field(text, 22);
	if (!parent || atoi(parent) != search.parent)
		return;
	const uint64_t since = strtoull(start, NULL, 10);
	if (search.child && search.since <= since)
		return;
	search.child = atoi(pid);
	search.since = since;
}

pid_t oldest_child(pid_t parent)
{
	search.parent = parent;
	search.child = 0;
	(void)numeric_entries("/proc", look_for_child);
	return search.child;
}
