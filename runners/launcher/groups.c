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

enum { DEPTH_MAX = 4 };

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
