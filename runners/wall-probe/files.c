// Files of the host and of the service, the root, and what the environment tells.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe.h"

static bool holds_token(const char *path)
{
	char text[256] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno_is_kept();
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return (n > 0 && strstr(text, given("token")) && found("%s", path)) || only_said("it says something else");
}

// The host's file by its own name, from the root of the first process, and by climbing.
static bool host_file(void)
{
	const char *path = given("hidden");
	char other[PATH];
	if (holds_token(path))
		return true;
	snprintf(other, sizeof other, "/proc/1/root%s", path);
	if (holds_token(other))
		return true;
	snprintf(other, sizeof other, "../../../../../../../..%s", path);
	return holds_token(other);
}

// What the service shows to this jail read-only.
static bool shown_folder(void)
{
	char file[PATH], other[PATH];
	const char *folder = given("shown");
	snprintf(file, sizeof file, "%s/file", folder);
	snprintf(other, sizeof other, "%s/other", folder);
	if (!holds_token(file))
		return not_tried();
	if (open(file, O_WRONLY | O_TRUNC) >= 0 || truncate(file, 0) == 0)
		return found("%s was written", file);
	if (open(other, O_CREAT | O_WRONLY, 0600) >= 0)
		return found("%s was made", other);
	if (rename(file, other) == 0 || unlink(file) == 0)
		return found("%s was taken away", file);
	return chmod(file, 0777) == 0 ? found("the mode of %s was changed", file) : errno_is_kept();
}

static bool made_below(const char *folder)
{
	char path[PATH];
	snprintf(path, sizeof path, "%s/wall-probe-made", folder);
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno_is_kept();
	close(fd);
	unlink(path);
	return found("%s", path);
}

// Folders of the root, but for those that are the run's own.
static bool write_root(void)
{
	static const char *const own[] = { "work", "tmp", "." , ".." };
	DIR *folder = opendir("/");
	if (!folder)
		return errno_is_kept();
	bool open = made_below("");
	for (struct dirent *entry; !open && (entry = readdir(folder));) {
		bool is_own = false;
		for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
			is_own |= strcmp(entry->d_name, own[i]) == 0;
		char path[PATH];
		snprintf(path, sizeof path, "/%s", entry->d_name);
		open = !is_own && made_below(path);
	}
	closedir(folder);
	if (!open && access("/etc/passwd", W_OK) == 0)
		return found("/etc/passwd");
	return open;
}

// To what it is already.
static bool host_name(void)
{
	char name[256] = "";
	gethostname(name, sizeof name - 1);
	return sethostname(name, strlen(name)) == 0 || errno_is_kept();
}

// Exactly what it was given, and nobody else's.
static bool environment(void)
{
	extern char **environ;
	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, "TOKEN=", 6) != 0)
			return found("%.*s", (int)strcspn(*entry, "="), *entry);
	const int fd = open("/proc/1/environ", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno_is_kept();
	char text[256] = "";
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return n > 0 && found("of the first process: %.*s", (int)strcspn(text, "="), text);
}

static const struct attempt list[] = {
	{ "host_name", host_name, NULL },
	{ "host_file", host_file, "hidden" },
	{ "shown_folder", shown_folder, "shown" },
	{ "write_root", write_root, NULL },
	{ "environment", environment, NULL },
};

const struct attempts file_attempts = { list, sizeof list / sizeof list[0] };
