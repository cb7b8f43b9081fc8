// The run's streams: its input fed as the program takes it, its output read to the end and capped.

#include <errno.h>
#include <unistd.h>

#include "supervisor.h"

enum { FEED_BYTES = 65536 };

void capture_feed(void)
{
	static uint8_t chunk[FEED_BYTES];
	struct slot *s = run.slot;
	while (run.input >= 0 && run.fed < s->received) {
		ssize_t have = pread(s->input, chunk, sizeof chunk, (off_t)run.fed);
		if (have <= 0)
			die(ERROR_SYSCALL, "reading kept stdin");
		ssize_t n = write(run.input, chunk, (size_t)have);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			die(ERROR_SYSCALL, "feeding stdin");
		run.fed += (uint64_t)n;
		if (n < have)
			return;
	}
	run_close(&run.input);
}

bool capture_read(struct stream *s)
{
	static uint8_t discarded[MAX_CHUNK];
	uint64_t cap = run.slot->request.output_bytes;
	size_t room = sizeof discarded;
	uint8_t *to = s->seen < cap ? channel_room(&room) : discarded;
	if (!to)
		return false;
	ssize_t n = read(s->fd, to, room);
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		die(ERROR_SYSCALL, "reading output");
	if (n == 0) {
		run_close(&s->fd);
		return true;
	}
	uint64_t keep = s->seen < cap ? cap - s->seen : 0;
	if (keep > (uint64_t)n)
		keep = (uint64_t)n;
	if (keep)
		channel_commit(FRAME_OUTPUT, s->flag, run.slot->id, (size_t)keep);
	s->seen += (uint64_t)n;
	if (s->seen > cap) {
		s->truncated = true;
		run_end_by(CAUSE_OUTPUT);
	}
	return true;
}

void capture_stalled(bool stalled)
{
	if (stalled && !run.stall_start)
		run.stall_start = now_ns();
	if (!stalled && run.stall_start) {
		run.stalled_ns += now_ns() - run.stall_start;
		run.stall_start = 0;
	}
}
