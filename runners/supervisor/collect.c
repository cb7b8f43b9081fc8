// Collecting a run's files: sent to the service, or kept as files of the program. Everything of the run is dead by now, so
// nothing changes under our hands.

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor.h"

static uint8_t buffer[MAX_CHUNK];

// Writes all of it; false with errno if the target file system is full.
static bool write_fitting(int fd, const uint8_t *bytes, size_t length)
{
	while (length) {
		ssize_t n = write(fd, bytes, length);
		if (n < 0)
			return false;
		bytes += n;
		length -= (size_t)n;
	}
	return true;
}

struct found {
	uint16_t status;
	int fd;
	uint64_t size;
	bool executable;
};

static struct found find(int work, char *path, uint64_t budget)
{
	struct found r = { .status = COLLECT_MISSING, .fd = -1 };
	char *last;
	int dir = staging_parent(work, path, false, 0, &last);
	if (dir < 0) {
		// ELOOP and ENOTDIR: a component is a symbolic link, or a file.
		r.status = errno == ENOENT ? COLLECT_MISSING : COLLECT_NOT_REGULAR;
		return r;
	}
	r.fd = openat(dir, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int error = errno;
	close(dir);
	struct stat st;
	if (r.fd < 0)
		r.status = error == ENOENT ? COLLECT_MISSING :
			   error == ELOOP || error == ENXIO || error == ENODEV ? COLLECT_NOT_REGULAR :
										 COLLECT_UNREADABLE;
	else if (fstat(r.fd, &st) < 0)
		r.status = COLLECT_UNREADABLE;
	else if (!S_ISREG(st.st_mode))
		r.status = COLLECT_NOT_REGULAR;
	else if (st.st_size < 0 || (uint64_t)st.st_size > budget)
		r.status = COLLECT_TOO_LARGE;
	else {
		r.status = COLLECT_OK;
		r.size = (uint64_t)st.st_size;
		r.executable = st.st_mode & 0100;
	}
	if (r.status != COLLECT_OK && r.fd >= 0) {
		close(r.fd);
		r.fd = -1;
	}
	return r;
}

static void send_collected(uint32_t id, uint16_t index, const struct found *f)
{
	uint8_t payload[4 + MAX_CHUNK];
	uint64_t left = f->size;
	uint16_t status = f->status;
	do {
		size_t want = left < MAX_CHUNK ? (size_t)left : MAX_CHUNK;
		ssize_t n = want ? read(f->fd, payload + 4, want) : 0;
		if (n < 0 || (want && n == 0)) {
			status = COLLECT_UNREADABLE;
			n = 0;
			left = 0;
		}
		left -= (uint64_t)n;
		uint8_t *at = payload;
		put_u16(&at, index);
		put_u16(&at, status);
		channel_send(FRAME_COLLECTED, left ? COLLECTED_MORE : 0, id, payload, 4 + (size_t)n);
	} while (left);
}

static bool keep(int program, char *path, const struct found *f)
{
	char *last;
	int dir = staging_parent(program, path, true, 0, &last);
	if (dir < 0)
		return false;
	int to = openat(dir, last, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
	close(dir);
	if (to < 0)
		return false;
	bool whole = fchmod(to, f->executable ? 0755 : 0644) == 0;
	for (uint64_t left = f->size; whole && left;) {
		ssize_t n = read(f->fd, buffer, sizeof buffer);
		whole = n > 0 && write_fitting(to, buffer, (size_t)n);
		left -= whole ? (uint64_t)n : 0;
	}
	close(to);
	return whole;
}

uint32_t collect_files(const struct request *q, uint32_t id, bool succeeded)
{
	bool keeping = q->flags & RUN_KEEP;
	if (!q->collectc || (keeping && !succeeded))
		return 0;
	uint32_t flags = 0;
	uint64_t budget = q->collect_bytes;
	int work = staging_work(), program = keeping ? staging_program(q->collect_bytes) : -1;
	for (uint16_t i = 0; i < q->collectc; i++) {
		struct found f = find(work, q->collect[i], budget);
		budget -= f.size;
		if (!keeping)
			send_collected(id, i, &f);
		else if (f.status != COLLECT_OK || !keep(program, q->collect[i], &f))
			flags |= RESULT_KEEP_INCOMPLETE;
		if (f.fd >= 0)
			close(f.fd);
	}
	if (program >= 0)
		close(program);
	close(work);
	return flags;
}
