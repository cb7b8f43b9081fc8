// The run's streams: its input fed as the program takes it, its output read to the end and capped.

#include <errno.h>
#include <unistd.h>

#include "supervisor.h"

enum { FEED_BYTES = 65536 };

bool capture_hungry(void)
{
	return run.input >= 0 && (!window_live(run.slot) || run.slot->input_ended || run.fed < run.slot->received);
}

// Half a buffer at a time, so that small messages cost no frame.
static void tell_taken(void)
{
	uint64_t taken = run.fed - run.told;
	if (taken < LIVE_BUFFER / 2)
		return;
	uint8_t payload[4];
	uint8_t *at = payload;
	put_u32(&at, (uint32_t)taken);
	channel_send(FRAME_TAKEN, 0, run.slot->id, payload, sizeof payload);
	run.told = run.fed;
}

void capture_feed(void)
{
	static uint8_t chunk[FEED_BYTES];
	struct slot *s = run.slot;
	bool live = window_live(s);
	while (run.input >= 0 && run.fed < s->received) {
		uint64_t at = live ? run.fed % LIVE_BUFFER : run.fed, most = s->received - run.fed;
		if (most > sizeof chunk)
			most = sizeof chunk;
		if (live && most > LIVE_BUFFER - at)
			most = LIVE_BUFFER - at;
		ssize_t have = pread(s->input, chunk, (size_t)most, (off_t)at);
		if (have <= 0)
			die(ERROR_SYSCALL, "reading kept stdin");
		ssize_t n = write(run.input, chunk, (size_t)have);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			die(ERROR_SYSCALL, "feeding stdin");
		run.fed += (uint64_t)n;
		if (live)
			tell_taken();
		if (n < have)
			return;
	}
	if (!live || s->input_ended)
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
	if (window_live(run.slot))
		channel_urge();
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
