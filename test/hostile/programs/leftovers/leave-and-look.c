// How: looks for what an earlier run of itself may have left, prints it, then leaves as much as it can: files in every
// writable folder, a changed program, a locked file, SysV shared memory, a semaphore, a message queue, a POSIX message
// queue, an abstract socket.
// Expected: exited 0 and "clean", in every case of one submission and in every later submission.
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { KEY = 0x5a5a };
static int found;

static void tell(const char *what)
{
	printf("found %s\n", what);
	found = 1;
}

static struct sockaddr_un name(socklen_t *length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	memcpy(address.sun_path, "\0left", 5);
	*length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 5);
	return address;
}

int main(void)
{
	static const char *const folders[] = { "/work", "/tmp", "/dev/shm", "/var/tmp", "/run/lock", "/run" };
	char path[64];
	for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++) {
		snprintf(path, sizeof path, "%s/left", folders[i]);
		if (access(path, F_OK) == 0)
			tell(path);
		int fd = open(path, O_CREAT | O_WRONLY, 0666);
		if (fd >= 0 && write(fd, "left", 4) == 4)
			close(fd);
	}
	struct stat facts;
	if (stat("/work/data.txt", &facts) != 0 || facts.st_size != 4)
		tell("a changed data file");
	if (access("/work/only-first.txt", F_OK) == 0 && getenv("FIRST") == NULL)
		tell("a file of another case");
	if (shmget(KEY, 4096, 0) >= 0)
		tell("shared memory");
	if (semget(KEY, 1, 0) >= 0)
		tell("a semaphore");
	if (msgget(KEY, 0) >= 0)
		tell("a message queue");
	if (mq_open("/left", O_RDONLY) != (mqd_t)-1)
		tell("a POSIX message queue");
	if (shm_open("/left-shm", O_RDONLY, 0) >= 0)
		tell("POSIX shared memory");
	socklen_t length;
	struct sockaddr_un address = name(&length);
	int client = socket(AF_UNIX, SOCK_STREAM, 0);
	if (client >= 0 && connect(client, (struct sockaddr *)&address, length) == 0)
		tell("an abstract socket");
	puts(found ? "dirty" : "clean");
	fflush(stdout);
	shmget(KEY, 4096, IPC_CREAT | 0666);
	semget(KEY, 1, IPC_CREAT | 0666);
	msgget(KEY, IPC_CREAT | 0666);
	mq_open("/left", O_CREAT | O_RDWR, 0666, NULL);
	shm_open("/left-shm", O_CREAT | O_RDWR, 0666);
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	if (server >= 0 && bind(server, (struct sockaddr *)&address, length) == 0)
		listen(server, 1);
	// The program itself and its data: the next case must see the pristine ones.
	char own[256];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	if (n > 0) {
		own[n] = 0;
		unlink(own);
		int fd = open(own, O_CREAT | O_WRONLY | O_TRUNC, 0777);
		if (fd >= 0)
			(void)!write(fd, "#!/bin/false\n", 13);
	}
	truncate("/work/data.txt", 0);
	rename("/work/main.c", "/work/stolen.c");
	chmod("/work", 0);
	return 0;
}
