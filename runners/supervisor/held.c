// What the processes of a run hold, from /proc/PID/smaps: for gVisor, whose groups are charged also with files of the root
// that are mapped (the node's cache, and no memory of the program's), each once, to whichever group was first.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervisor.h"

static char text[65536];
static struct memory_held held; // KiB
static uint64_t shared_most;

// The root is read-only but for these; what a program makes itself, named or not, is its own memory.
static bool is_of_root(const char *path)
{
	static const char *const own[] = { "/work", "/tmp", "/dev", "/run", "/proc", "/memfd:", "/SYSV" };
	static const char deleted[] = " (deleted)";
	const size_t length = strlen(path);
	if (path[0] != '/' || (length >= sizeof deleted && !strcmp(path + length - (sizeof deleted - 1), deleted)))
		return false;
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (!strncmp(path, own[i], strlen(own[i])))
			return false;
	return true;
}

// Of one process, KiB.
struct area {
	bool of_root;
	uint64_t files, shared, own, resident;
};

static void take_line(struct area *a, const char *line)
{
	static const char resident[] = "Rss:", private[] = "Anonymous:";
	if (!strncmp(line, resident, sizeof resident - 1))
		a->resident = strtoull(line + sizeof resident - 1, NULL, 10);
	else if (!strncmp(line, private, sizeof private - 1)) {
		const uint64_t own = strtoull(line + sizeof private - 1, NULL, 10);
		a->own += own;
		*(a->of_root ? &a->files : &a->shared) += a->resident > own ? a->resident - own : 0;
	} else if (strchr("0123456789abcdef", line[0])) {
		// Five fields, then the path after blanks.
		const char *path = line;
		for (int field = 0; field < 5; field++) {
			path += strcspn(path, " ");
			path += strspn(path, " ");
		}
		a->of_root = is_of_root(path);
	}
}

// A process may vanish while it is looked at.
static void look_at(int dir, const char *pid)
{
	char path[32];
	if (strlen(pid) > 20 || !strcmp(pid, "1") || warm_is(atoi(pid)))
		return;
	snprintf(path, sizeof path, "%s/smaps", pid);
	const int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	struct area a = { 0 };
	size_t have = 0;
	for (ssize_t n; fd >= 0 && (n = read(fd, text + have, sizeof text - 1 - have)) > 0;) {
		have += (size_t)n;
		text[have] = 0;
		char *at = text;
		for (char *end; (end = strchr(at, '\n')); at = end + 1) {
			*end = 0;
			take_line(&a, at);
		}
		have -= (size_t)(at - text);
		memmove(text, at, have);
	}
	if (fd >= 0)
		close(fd);
	// What processes share is mostly the same in all of them: the largest counts.
	if (a.files > held.files)
		held.files = a.files;
	if (a.shared > shared_most)
		shared_most = a.shared;
	held.own += a.own;
}

struct memory_held memory_held(void)
{
	held = (struct memory_held){ 0 };
	shared_most = 0;
	(void)entries_if_there("/proc", look_at);
	return (struct memory_held){ .files = held.files * 1024, .own = (held.own + shared_most) * 1024 };
}
