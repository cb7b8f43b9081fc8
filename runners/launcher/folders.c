// The folder in which runsc finds a jail's bundle and keeps its state: regular files and a socket, no folders.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launcher.h"

int folder_make(const struct settings *s, const char *name, const char *file)
{
	int made = mkdirat(s->jails_fd, name, 0700);
	if (made < 0 && errno == EEXIST) {
		// Of a launcher that was killed.
		folder_remove(s, name);
		made = mkdirat(s->jails_fd, name, 0700);
	}
	if (made < 0)
		return -1;
	int folder = openat(s->jails_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int fd = folder < 0 ? -1 : openat(folder, file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (folder >= 0)
		close(folder);
	return fd;
}

void folder_remove(const struct settings *s, const char *name)
{
	if (!s->jails)
		return;
	int folder = openat(s->jails_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = folder < 0 ? NULL : fdopendir(folder);
	if (!dir)
		return;
	struct dirent *e;
	while ((e = readdir(dir)))
		if (e->d_type != DT_DIR && unlinkat(folder, e->d_name, 0) < 0)
			warn("%s/%s: %s", name, e->d_name, strerror(errno));
	closedir(dir);
	if (unlinkat(s->jails_fd, name, AT_REMOVEDIR) < 0)
		warn("%s/%s: %s", s->jails, name, strerror(errno));
}
