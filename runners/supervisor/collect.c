// Collecting a run's files for the service. Everything of the run is dead by now, so nothing changes under our hands.

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor.h"

struct found {
	uint16_t status;
	int fd;
	uint64_t size;
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

void collect_files(const struct request *q, uint32_t id)
{
	if (!q->collectc)
		return;
	uint64_t budget = q->collect_bytes;
	int work = staging_work();
	for (uint16_t i = 0; i < q->collectc; i++) {
		struct found f = find(work, q->collect[i], budget);
		budget -= f.size;
		send_collected(id, i, &f);
		if (f.fd >= 0)
			close(f.fd);
	}
	close(work);
}
