// Removes cgroups: kills whoever is left inside, children first. A group stays busy for a moment after its last
// process is gone, so the caller asks again.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launcher.h"

// A charge that does not fit is of a huge page at most.
enum { DEPTH_MAX = 4, NEAR_CAP_BYTES = 4 << 20 };

static void kill_members(int group)
{
	int all = openat(group, "cgroup.kill", O_WRONLY | O_CLOEXEC);
	if (all >= 0) {
		if (write(all, "1", 1) != 1)
			warn("cgroup.kill: %s", strerror(errno));
		close(all);
		return;
	}
	int fd = openat(group, "cgroup.procs", O_RDONLY | O_CLOEXEC);
	FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
	if (!list)
		return;
	int pid;
	while (fscanf(list, "%d", &pid) == 1)
		if (pid > 1 && pid != getpid())
			(void)kill(pid, SIGKILL); // it may have ended by itself
	fclose(list);
}

static bool remove_group(int parent, const char *name, int depth)
{
	if (unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return true;
	int group = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (group < 0)
		return errno == ENOENT;
	kill_members(group);
	DIR *dir = depth < DEPTH_MAX ? fdopendir(dup(group)) : NULL;
	if (dir) {
		struct dirent *e;
		while ((e = readdir(dir)))
			if (e->d_type == DT_DIR && e->d_name[0] != '.')
				(void)remove_group(group, e->d_name, depth + 1);
		closedir(dir);
	}
	close(group);
	return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

bool groups_remove(const struct settings *s, const char *name)
{
	bool gone = true;
	for (unsigned i = 0; i < s->cgroup_count; i++)
		gone &= remove_group(s->cgroup_fds[i], name, 0);
	return gone;
}

// The number after `key` at the start of a line, or the first one of the file where `key` is empty; 0 without any.
static unsigned long long read_count(int group, const char *path, const char *key)
{
	char line[128];
	unsigned long long n = 0;
	size_t length = strlen(key);
	int fd = openat(group, path, O_RDONLY | O_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, key, length)) {
			n = strtoull(line + length, NULL, 10);
			break;
		}
	if (file)
		fclose(file);
	return n;
}

// v2 counts at the group whose limit was met (cgroup-v2.rst, memory.events.local). v1 counts a kill where the killed one was,
// and a failure of a limit not always where the limit is, so the most that was charged must have come up to it.
static bool met_cap(int group)
{
	if (read_count(group, "memory.events.local", "oom "))
		return true;
	unsigned long long limit = read_count(group, "memory.limit_in_bytes", "");
	unsigned long long most = read_count(group, "memory.max_usage_in_bytes", "");
	return limit && most + NEAR_CAP_BYTES >= limit && read_count(group, "run/memory.oom_control", "oom_kill ");
}

bool groups_met_cap(const struct settings *s, const char *name)
{
	bool met = false;
	for (unsigned i = 0; i < s->cgroup_count && !met; i++) {
		int group = openat(s->cgroup_fds[i], name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		met = group >= 0 && met_cap(group);
		if (group >= 0)
			close(group);
	}
	return met;
}

void groups_sweep(const struct settings *s)
{
	for (unsigned i = 0; i < s->cgroup_count; i++) {
		DIR *dir = opendir(s->cgroups[i]);
		if (!dir)
			die(ERROR_SYSCALL, "%s", s->cgroups[i]);
		struct dirent *e;
		while ((e = readdir(dir))) {
			if (strncmp(e->d_name, "jail-", 5))
				continue;
			bool gone = false;
			for (int attempt = 0; attempt < 200 && !gone; attempt++) {
				gone = remove_group(s->cgroup_fds[i], e->d_name, 0);
				if (!gone)
					usleep(10000);
			}
			warn("%s %s/%s of an earlier launcher", gone ? "removed" : "could not remove", s->cgroups[i], e->d_name);
		}
		closedir(dir);
	}
}
