// What a run leaves for the next one, and whether that finds it.

#include <fcntl.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

enum { IPC_ID = 0x5a5b, LEFT_S = 5 };

static const char *const writable[] = { "/work", "/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock" };

static struct sockaddr_un left_name(socklen_t *length) { return abstract_name("wall-probe-left", length); }

// A child that outlives this run if it can, with a name to be reached by.
static void leave_daemon(void)
{
	if (fork() != 0)
		return;
	setsid();
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	socklen_t length;
	const struct sockaddr_un address = left_name(&length);
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, length) == 0)
		listen(fd, 1);
	alarm(LEFT_S);
	for (;;)
		pause();
}

void leave(void)
{
	for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
		char path[PATH];
		snprintf(path, sizeof path, "%s/wall-probe-left", writable[i]);
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	}
	shmget(IPC_ID, 4096, IPC_CREAT | 0666);
	semget(IPC_ID, 1, IPC_CREAT | 0666);
	msgget(IPC_ID, IPC_CREAT | 0666);
	syscall(SYS_mq_open, "wall-probe-left", O_CREAT | O_RDWR, 0666, NULL);
	leave_daemon();
}

static bool left_files(void)
{
	bool left = false;
	for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
		char path[PATH];
		snprintf(path, sizeof path, "%s/wall-probe-left", writable[i]);
		if (access(path, F_OK) == 0)
			left = found("%s", path);
		unlink(path);
	}
	return left;
}

static bool left_objects(void)
{
	bool left = false; // the same user made them, so they can be removed
	const int memory = shmget(IPC_ID, 4096, 0), semaphore = semget(IPC_ID, 1, 0), queue = msgget(IPC_ID, 0);
	if (memory >= 0 && shmctl(memory, IPC_RMID, NULL) == 0)
		left = found("shared memory");
	if (semaphore >= 0 && semctl(semaphore, 0, IPC_RMID) == 0)
		left = found("a semaphore");
	if (queue >= 0 && msgctl(queue, IPC_RMID, NULL) == 0)
		left = found("a message queue");
	if (syscall(SYS_mq_unlink, "wall-probe-left") == 0)
		left = found("a POSIX message queue");
	return left;
}

static bool left_processes(void)
{
	socklen_t length;
	const struct sockaddr_un address = left_name(&length);
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return fd >= 0 && connect(fd, (const struct sockaddr *)&address, length) == 0 && found("it answers");
}

static const struct attempt list[] = {
	{ "left_files", left_files, NULL },
	{ "left_objects", left_objects, NULL },
	{ "left_processes", left_processes, NULL },
};

const struct attempts leftovers = { list, sizeof list / sizeof list[0] };
