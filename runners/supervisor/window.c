// The window of two: which runs the service has asked for, what has come of them, which are answered. It keeps the
// order of frames that the protocol demands, and knows nothing of how a run is executed.

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "supervisor.h"

enum { WINDOW = 2 };

static struct slot slots[WINDOW];
static uint32_t newest; // highest id of a RUN frame
static uint32_t answered; // highest id of a RESULT
static uint32_t cancelled_to; // runs up to this number are cancelled
static uint32_t live_done; // the last live run that is answered; input that crossed its RESULT is dropped

void window_open(void)
{
	for (unsigned i = 0; i < WINDOW; i++) {
		slots[i].stage = i;
		slots[i].input = memfd_create("stdin", MFD_CLOEXEC);
		if (slots[i].input < 0)
			die(ERROR_SYSCALL, "memfd_create");
	}
}

bool window_outstanding(void)
{
	return newest != answered;
}

uint64_t window_bytes(void)
{
	uint64_t sum = 0;
	for (int i = 0; i < WINDOW; i++)
		sum += window_live(&slots[i]) && slots[i].received > LIVE_BUFFER ? LIVE_BUFFER : slots[i].received;
	return sum;
}

bool window_live(const struct slot *s)
{
	return s->id && (s->request.flags & RUN_LIVE);
}

static struct slot *slot_of(uint32_t id)
{
	return &slots[id % WINDOW];
}

static void empty_slot(struct slot *s)
{
	if (s->files)
		staging_clear(s->stage);
	if (s->received && ftruncate(s->input, 0) < 0)
		die(ERROR_SYSCALL, "emptying stdin");
	s->files = false;
	s->received = 0;
	s->input_ended = false;
	s->signal = 0;
	s->id = 0;
}

void window_forget(void)
{
	for (int i = 0; i < WINDOW; i++)
		empty_slot(&slots[i]);
	staging_clear(STAGE_PROGRAM);
	newest = answered = cancelled_to = live_done = 0;
}

/* Frames */

static bool input_whole(const struct slot *s)
{
	return window_live(s) || s->received == s->request.stdin_bytes;
}

static void expect_next(uint32_t id, const char *what)
{
	if (id != newest + 1 || (newest > answered && !input_whole(slot_of(newest))))
		die(ERROR_PROTOCOL, "%s for run %u out of order", what, id);
	if (newest > answered && window_live(slot_of(newest)))
		die(ERROR_PROTOCOL, "%s for run %u during a live run", what, id);
	if (newest - answered >= WINDOW)
		die(ERROR_PROTOCOL, "%s for run %u exceeds the window", what, id);
}

static void handle_file(const struct frame *f)
{
	if (f->id == 0) {
		if (window_outstanding())
			die(ERROR_PROTOCOL, "program file while a run is outstanding");
		staging_file(STAGE_PROGRAM, f);
		return;
	}
	expect_next(f->id, "FILE");
	struct slot *s = slot_of(f->id);
	s->files = true;
	staging_file(s->stage, f);
}

static void handle_entry(const struct frame *f)
{
	if (!f->id)
		die(ERROR_PROTOCOL, "ENTRY of the program");
	expect_next(f->id, "ENTRY");
	struct slot *s = slot_of(f->id);
	s->files = true;
	tree_entry(s->stage, f);
}

static void handle_run(const struct frame *f)
{
	expect_next(f->id, "RUN");
	struct slot *s = slot_of(f->id);
	const char *wrong = request_parse(f->payload, f->length, &s->request);
	if (wrong)
		die(ERROR_PROTOCOL, "%s", wrong);
	if ((s->request.flags & RUN_LIVE) && window_outstanding())
		die(ERROR_PROTOCOL, "live run %u beside another", f->id);
	s->id = newest = f->id;
	s->raw_length = f->length <= sizeof s->raw ? f->length : 0;
	memcpy(s->raw, f->payload, s->raw_length);
}

static struct slot *live_slot(const struct frame *f)
{
	struct slot *s = slot_of(f->id);
	if (!f->id || s->id != f->id || !window_live(s) || s->input_ended)
		die(ERROR_PROTOCOL, "input for live run %u not expected", f->id);
	return s;
}

static void feed_live(const struct slot *s)
{
	if (run.slot == s && run.phase != ENDED)
		capture_feed();
}

static void keep(const struct slot *s, const uint8_t *bytes, uint64_t length, uint64_t at)
{
	while (length) {
		ssize_t n = pwrite(s->input, bytes, length, (off_t)at);
		if (n < 0)
			die(ERROR_SYSCALL, "keeping stdin");
		bytes += n;
		at += (uint64_t)n;
		length -= (uint64_t)n;
	}
}

static void handle_live_stdin(const struct frame *f)
{
	struct slot *s = live_slot(f);
	// What TAKEN has not told of is still the sender's to count.
	uint64_t told = run.slot == s ? run.told : 0;
	if (f->length > LIVE_BUFFER - (s->received - told))
		die(ERROR_PROTOCOL, "STDIN for live run %u exceeds the buffer", f->id);
	if (s->received < LIVE_BUFFER)
		cgroup_own_memory(f->length);
	uint64_t at = s->received % LIVE_BUFFER, first = LIVE_BUFFER - at;
	if (first > f->length)
		first = f->length;
	keep(s, f->payload, first, at);
	keep(s, f->payload + first, f->length - first, 0);
	s->received += f->length;
	feed_live(s);
}

static void handle_end(const struct frame *f)
{
	struct slot *s = live_slot(f);
	s->input_ended = true;
	feed_live(s);
}

static void handle_signal(const struct frame *f)
{
	struct slot *s = slot_of(f->id);
	struct cursor c = cursor_of(f->payload, f->length);
	uint32_t signal = take_u32(&c);
	if (!f->id || s->id != f->id || !window_live(s) || signal < 1 || signal > MAX_SIGNAL)
		die(ERROR_PROTOCOL, "signal %u for run %u not expected", signal, f->id);
	s->signal = signal;
	if (run.slot == s)
		run_signal();
}

static void handle_stdin(const struct frame *f)
{
	struct slot *s = slot_of(f->id);
	if (window_live(s)) {
		handle_live_stdin(f);
		return;
	}
	if (!f->id || s->id != f->id || f->length > s->request.stdin_bytes - s->received)
		die(ERROR_PROTOCOL, "STDIN for run %u not expected", f->id);
	cgroup_own_memory(f->length);
	keep(s, f->payload, f->length, s->received);
	s->received += f->length;
}

void window_answered(struct slot *s)
{
	answered = s->id;
	if (window_live(s))
		live_done = s->id;
	empty_slot(s);
}

void window_answer_unstarted(struct slot *s, enum cause cause, int error)
{
	uint8_t payload[RESULT_BYTES] = { 0 };
	uint8_t *at = payload;
	put_u32(&at, cause);
	put_u32(&at, UINT32_MAX); // exit_code −1
	put_u32(&at, 0);
	put_u32(&at, (uint32_t)error);
	channel_send(FRAME_RESULT, 0, s->id, payload, sizeof payload);
	window_answered(s);
}

struct slot *window_next(void)
{
	while (answered < cancelled_to)
		window_answer_unstarted(slot_of(answered + 1), CAUSE_CANCELLED, 0);
	if (!window_outstanding() || !input_whole(slot_of(answered + 1)))
		return NULL;
	return slot_of(answered + 1);
}

static void handle_cancel(void)
{
	cancelled_to = newest;
	run_cancel();
	// Files of a run that has no RUN frame yet are dropped without an answer.
	if (newest - answered < WINDOW)
		empty_slot(slot_of(newest + 1));
}

void window_handle(const struct frame *f)
{
	bool is_input = f->type == FRAME_STDIN || f->type == FRAME_END || f->type == FRAME_SIGNAL;
	if (is_input && f->id && f->id == live_done)
		return;
	switch (f->type) {
	case FRAME_FILE:
		handle_file(f);
		return;
	case FRAME_ENTRY:
		handle_entry(f);
		return;
	case FRAME_RUN:
		handle_run(f);
		return;
	case FRAME_STDIN:
		handle_stdin(f);
		return;
	case FRAME_END:
		handle_end(f);
		return;
	case FRAME_SIGNAL:
		handle_signal(f);
		return;
	case FRAME_CANCEL:
		handle_cancel();
		return;
	default:
		die(ERROR_ASSERTION, "frame type 0x%02x not handled", f->type);
	}
}
