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
		sum += slots[i].received;
	return sum;
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
	s->id = 0;
}

void window_forget(void)
{
	for (int i = 0; i < WINDOW; i++)
		empty_slot(&slots[i]);
	staging_clear(STAGE_PROGRAM);
	newest = answered = cancelled_to = 0;
}

/* Frames */

static bool input_whole(const struct slot *s)
{
	return s->received == s->request.stdin_bytes;
}

static void expect_next(uint32_t id, const char *what)
{
	if (id != newest + 1 || (newest > answered && !input_whole(slot_of(newest))))
		die(ERROR_PROTOCOL, "%s for run %u out of order", what, id);
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

static void handle_run(const struct frame *f)
{
	expect_next(f->id, "RUN");
	struct slot *s = slot_of(f->id);
	const char *wrong = request_parse(f->payload, f->length, &s->request);
	if (wrong)
		die(ERROR_PROTOCOL, "%s", wrong);
	s->id = newest = f->id;
	s->raw_length = f->length <= sizeof s->raw ? f->length : 0;
	memcpy(s->raw, f->payload, s->raw_length);
}

static void handle_stdin(const struct frame *f)
{
	struct slot *s = slot_of(f->id);
	if (!f->id || s->id != f->id || f->length > s->request.stdin_bytes - s->received)
		die(ERROR_PROTOCOL, "STDIN for run %u not expected", f->id);
	cgroup_own_memory(f->length);
	for (uint32_t done = 0; done < f->length;) {
		ssize_t n = pwrite(s->input, f->payload + done, f->length - done, (off_t)(s->received + done));
		if (n < 0)
			die(ERROR_SYSCALL, "keeping stdin");
		done += (uint32_t)n;
	}
	s->received += f->length;
}

void window_answered(struct slot *s)
{
	answered = s->id;
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
	switch (f->type) {
	case FRAME_FILE:
		handle_file(f);
		return;
	case FRAME_RUN:
		handle_run(f);
		return;
	case FRAME_STDIN:
		handle_stdin(f);
		return;
	case FRAME_CANCEL:
		handle_cancel();
		return;
	default:
		die(ERROR_ASSERTION, "frame type 0x%02x not handled", f->type);
	}
}
