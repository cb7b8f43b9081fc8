// How: makes set-uid and set-gid files by every call that can, executes the host's set-uid programs, and looks whether its
// ids or capabilities have changed.
// Expected: exited 0; every line says "no".
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(int granted, const char *what)
{
	printf("%s %s %d\n", granted ? "yes" : "no", what, granted ? 0 : errno);
	fflush(stdout);
}

static int has_bits(const char *path)
{
	struct stat s;
	return stat(path, &s) == 0 && (s.st_mode & 06000);
}

int main(void)
{
	int fd = open("/tmp/file", O_CREAT | O_WRONLY, 06755);
	tell(has_bits("/tmp/file"), "open");
	chmod("/tmp/file", 04755);
	tell(has_bits("/tmp/file"), "chmod");
	fchmod(fd, 02755);
	tell(has_bits("/tmp/file"), "fchmod");
	fchmodat(AT_FDCWD, "/tmp/file", 06755, 0);
	tell(has_bits("/tmp/file"), "fchmodat");
	syscall(452, AT_FDCWD, "/tmp/file", 06755, 0);
	tell(has_bits("/tmp/file"), "fchmodat2");
	mknod("/tmp/node", S_IFREG | 04755, 0);
	tell(has_bits("/tmp/node"), "mknod");
	static const char *const programs[] = { "/usr/bin/su", "/usr/bin/mount", "/usr/bin/passwd", "/usr/bin/newgrp" };
	for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++) {
		int ends[2];
		if (pipe(ends) < 0)
			return 1;
		pid_t child = fork();
		if (child == 0) {
			dup2(ends[1], 1);
			dup2(ends[1], 2);
			execl(programs[i], programs[i], "--help", (char *)NULL);
			_exit(127);
		}
		close(ends[1]);
		char path[64], text[4096];
		snprintf(path, sizeof path, "/proc/%d/status", child);
		int root = 0;
		for (int look = 0; look < 50; look++) {
			int status = open(path, O_RDONLY);
			ssize_t n = status < 0 ? 0 : read(status, text, sizeof text - 1);
			text[n > 0 ? n : 0] = 0;
			char *uid = strstr(text, "Uid:");
			unsigned real = 1, effective = 1;
			if (uid && sscanf(uid, "Uid: %u %u", &real, &effective) == 2 && effective == 0)
				root = 1;
			close(status);
		}
		while (read(ends[0], text, sizeof text) > 0)
			;
		close(ends[0]);
		waitpid(child, NULL, 0);
		tell(root, programs[i]);
	}
	tell(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0, "no_new_privs off");
	return 0;
}
