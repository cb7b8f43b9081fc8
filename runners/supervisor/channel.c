// The stream socket to the service: bounded buffers in both directions, partial reads and writes, and the
// rule that the jail ends when the service leaves. It knows frames but not what they ask for.

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "supervisor.h"

enum {
	CHANNEL_FD = 40,
	OUT_BYTES = 4 * (FRAME_HEADER + MAX_CHUNK),
	// Behind the space that output may fill there is always room for one frame of our own.
	OUT_RESERVE = 2 * MAX_CHUNK,
	SOCKET_BUFFER = 1 << 20,
	// Output of a program that nobody waits for goes with what follows it, up to so much: each send wakes the service.
	HELD_BYTES = 16 << 10,
};

static struct {
	size_t have;
	uint8_t bytes[FRAME_HEADER + MAX_PAYLOAD + MAX_CHUNK];
} in;

static struct {
	size_t start, end;
	bool urgent;
	uint8_t bytes[OUT_BYTES + OUT_RESERVE];
} out;

static int fd = -1;

void channel_open(void)
{
	fd = fcntl(0, F_DUPFD_CLOEXEC, CHANNEL_FD);
	if (fd < 0)
		_exit(1);
	int null = open("/dev/null", O_RDWR);
	// A jail without /dev/null still must not hand fd 0 to a child; a closed 0 would be taken by the next open.
	if (null < 0)
		null = open("/", O_PATH | O_DIRECTORY);
	if (null < 0 || dup2(null, 0) < 0)
		die(ERROR_SYSCALL, "replacing fd 0");
	if (null > 2)
		close(null);
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		die(ERROR_SYSCALL, "channel flags");
	int size = SOCKET_BUFFER;
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size) < 0)
		warn("SO_SNDBUF: %s", strerror(errno));
}

int channel_fd(void)
{
	return fd;
}

void channel_read(void (*handle)(const struct frame *f))
{
	ssize_t n = read(fd, in.bytes + in.have, sizeof in.bytes - in.have);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	// PID 1 of the jail leaves: the kernel kills everything in it.
	if (n <= 0)
		_exit(0);
	in.have += (size_t)n;
	size_t used = 0;
	for (;;) {
		struct frame f;
		const char *why = NULL;
		enum frame_status status = frame_parse(in.bytes + used, in.have - used, FROM_SERVICE, &f, &why);
		if (status == FRAME_BAD)
			die(ERROR_PROTOCOL, "%s (type 0x%02x, length %u)", why, f.type, f.length);
		if (status == FRAME_MORE)
			break;
		handle(&f);
		used += FRAME_HEADER + f.length;
	}
	in.have -= used;
	if (used && in.have)
		memmove(in.bytes, in.bytes + used, in.have);
}

bool channel_pending(void)
{
	return out.end > out.start;
}

bool channel_due(void)
{
	return channel_pending() && (out.urgent || out.end - out.start >= HELD_BYTES);
}

void channel_urge(void)
{
	out.urgent = true;
}

void channel_flush(void)
{
	while (channel_pending()) {
		ssize_t n = send(fd, out.bytes + out.start, out.end - out.start, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			_exit(0); // the service has left
		out.start += (size_t)n;
	}
	out.start = out.end = 0;
	out.urgent = false;
}

static void wait_writable(int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT | POLLRDHUP };
	int n = poll(&p, 1, timeout_ms);
	if (n == 0 || (n > 0 && p.revents & (POLLRDHUP | POLLHUP | POLLERR)))
		_exit(n == 0);
}

void channel_flush_all(void)
{
	channel_flush();
	while (channel_pending()) {
		wait_writable(-1);
		channel_flush();
	}
}

static void compact(void)
{
	if (!out.start)
		return;
	memmove(out.bytes, out.bytes + out.start, out.end - out.start);
	out.end -= out.start;
	out.start = 0;
}

void channel_send(uint8_t type, uint8_t flags, uint32_t id, const void *payload, size_t length)
{
	compact();
	while (sizeof out.bytes - out.end < FRAME_HEADER + length) {
		wait_writable(-1);
		channel_flush();
		compact();
	}
	frame_header(out.bytes + out.end, type, flags, id, (uint32_t)length);
	if (length)
		memcpy(out.bytes + out.end + FRAME_HEADER, payload, length);
	out.end += FRAME_HEADER + length;
	out.urgent = true;
}

uint8_t *channel_room(size_t *length)
{
	if (out.end + FRAME_HEADER + MAX_CHUNK > OUT_BYTES) {
		if (out.end - out.start + FRAME_HEADER + MAX_CHUNK > OUT_BYTES)
			return NULL;
		compact();
	}
	*length = MAX_CHUNK;
	return out.bytes + out.end + FRAME_HEADER;
}

void channel_commit(uint8_t type, uint8_t flags, uint32_t id, size_t length)
{
	frame_header(out.bytes + out.end, type, flags, id, (uint32_t)length);
	out.end += FRAME_HEADER + length;
}

void channel_last_words(uint32_t id, uint32_t code, const char *text, size_t length)
{
	if (fd < 0)
		return;
	uint8_t payload[4 + MAX_ERROR_TEXT];
	uint8_t *at = payload;
	put_u32(&at, code);
	memcpy(at, text, length);
	compact();
	if (sizeof out.bytes - out.end >= FRAME_HEADER + 4 + length)
		channel_send(FRAME_ERROR, 0, id, payload, 4 + length);
	channel_flush();
	for (int i = 0; i < 10 && channel_pending(); i++) {
		wait_writable(100);
		channel_flush();
	}
}
