// Node's own descriptors when it comes to its main file: the event loops' epolls, what wakes them, pipes for signals. A
// fork shares open files with the runtime and with all other forks, so it gets new ones at the same numbers.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../warm/runtime.h"
#include "node.h"

enum { DESCRIPTORS_MAX = 64, WATCHES_MAX = 64, NAME_BYTES = 64 };
enum kind { SHARED, EPOLL, EVENT, PIPE_OUT, PIPE_IN };

struct descriptor {
	int fd;
	enum kind kind;
	int flags; // O_NONBLOCK
	unsigned content; // count of an event, bytes of a pipe
	int write_end; // of PIPE_OUT: index of its other end
	char name[NAME_BYTES];
};
struct watch {
	int epoll, fd;
	struct epoll_event event;
};
static struct descriptor list[DESCRIPTORS_MAX];
static struct watch watches[WATCHES_MAX];
static int count, watch_count;

static void note_watch(int epoll, const char *line)
{
	struct watch w = { .epoll = epoll };
	unsigned long long data;
	if (sscanf(line, "tfd: %d events: %x data: %llx", &w.fd, &w.event.events, &data) != 3)
		return;
	if (watch_count == WATCHES_MAX)
		die(ERROR_ASSERTION, "more than %d watched descriptors", WATCHES_MAX);
	w.event.data.u64 = data;
	watches[watch_count++] = w;
}

// What the kernel tells of an epoll or an event beside its flags.
static void read_details(struct descriptor *d)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", d->fd);
	FILE *info = fopen(path, "re");
	if (!info)
		die(ERROR_SYSCALL, "open %s", path);
	while (fgets(line, sizeof line, info)) {
		note_watch(d->fd, line);
		(void)sscanf(line, "eventfd-count: %x", &d->content);
	}
	fclose(info);
}

static void read_pipe(struct descriptor *d, int access)
{
	int bytes = 0;
	d->kind = access == O_WRONLY ? PIPE_IN : PIPE_OUT;
	if (d->kind == PIPE_OUT && ioctl(d->fd, FIONREAD, &bytes) < 0)
		die(ERROR_SYSCALL, "FIONREAD");
	// libuv's lock for signals is a pipe with one byte, whatever that is; messages are longer.
	if (bytes > 1)
		die(ERROR_ASSERTION, "descriptor %d of the interpreter has %d bytes to read", d->fd, bytes);
	d->content = (unsigned)bytes;
}

static void note(int fd)
{
	char path[64];
	struct descriptor d = { .fd = fd, .write_end = -1 };
	int flags = fcntl(fd, F_GETFL);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (flags < 0 || readlink(path, d.name, sizeof d.name - 1) < 0)
		die(ERROR_SYSCALL, "descriptor %d", fd);
	d.flags = flags & O_NONBLOCK;
	if (!strcmp(d.name, "anon_inode:[eventpoll]"))
		d.kind = EPOLL;
	else if (!strcmp(d.name, "anon_inode:[eventfd]"))
		d.kind = EVENT;
	else if (!strncmp(d.name, "pipe:", 5))
		read_pipe(&d, flags & O_ACCMODE);
	else if (strcmp(d.name, "/dev/null"))
		die(ERROR_ASSERTION, "descriptor %d of the interpreter is %s", fd, d.name);
	if (d.kind == EPOLL || d.kind == EVENT)
		read_details(&d);
	if (count == DESCRIPTORS_MAX)
		die(ERROR_ASSERTION, "more than %d descriptors", DESCRIPTORS_MAX);
	list[count++] = d;
}

static int write_end_of(const struct descriptor *read_end)
{
	for (int i = 0; i < count; i++)
		if (list[i].kind == PIPE_IN && !strcmp(list[i].name, read_end->name))
			return i;
	die(ERROR_ASSERTION, "a pipe of the interpreter has one end");
}

void descriptors_note(int status_fd)
{
	DIR *fds = opendir("/proc/self/fd");
	if (!fds)
		die(ERROR_SYSCALL, "descriptors of the interpreter");
	for (const struct dirent *e; (e = readdir(fds));) {
		int fd = atoi(e->d_name);
		if (fd <= 2 || fd == dirfd(fds) || runtime_owns(fd))
			continue;
		if (fd >= status_fd)
			die(ERROR_ASSERTION, "descriptor %d of the interpreter", fd);
		note(fd);
	}
	closedir(fds);
	for (int i = 0; i < count; i++)
		if (list[i].kind == PIPE_OUT)
			list[i].write_end = write_end_of(&list[i]);
}

static void put(int status_fd, int from, int to)
{
	if (from < 0 || dup3(from, to, O_CLOEXEC) < 0 || close(from) < 0)
		step_failed(status_fd, STEP_DESCRIPTORS, -errno);
}

static void renew_pipe(int status_fd, const struct descriptor *d)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC | d->flags) < 0 || write(ends[1], "", d->content) != (ssize_t)d->content)
		step_failed(status_fd, STEP_DESCRIPTORS, -errno);
	put(status_fd, ends[0], d->fd);
	put(status_fd, ends[1], list[d->write_end].fd);
}

void descriptors_renew(int status_fd)
{
	for (int i = 0; i < count; i++) {
		const struct descriptor *d = &list[i];
		if (d->kind == EPOLL)
			put(status_fd, epoll_create1(EPOLL_CLOEXEC), d->fd);
		if (d->kind == EVENT)
			put(status_fd, eventfd(d->content, EFD_CLOEXEC | (d->flags ? EFD_NONBLOCK : 0)), d->fd);
		if (d->kind == PIPE_OUT)
			renew_pipe(status_fd, d);
	}
	for (int i = 0; i < watch_count; i++) {
		struct epoll_event event = watches[i].event;
		if (epoll_ctl(watches[i].epoll, EPOLL_CTL_ADD, watches[i].fd, &event) < 0)
			step_failed(status_fd, STEP_DESCRIPTORS, -errno);
	}
}
