// The frame reader and writer. It knows which types exist, who sends them and which flags they carry;
// it does not know what a payload means.

#include "frame.h"

#include <string.h>

struct rule {
	uint8_t from;
	uint8_t flags;
	uint32_t length_min;
	uint32_t length_max;
};

static const struct rule rules[256] = {
	[FRAME_FILE] = { FROM_SERVICE, FILE_APPEND | FILE_EXECUTABLE, 3, MAX_PAYLOAD },
	[FRAME_RUN] = { FROM_SERVICE, 0, RUN_FIXED, MAX_PAYLOAD },
	[FRAME_STDIN] = { FROM_SERVICE, 0, 1, MAX_PAYLOAD },
	[FRAME_CANCEL] = { FROM_SERVICE, 0, 0, 0 },
	[FRAME_RESET] = { FROM_SERVICE, 0, 0, 0 },
	[FRAME_END] = { FROM_SERVICE, 0, 0, 0 },
	[FRAME_SIGNAL] = { FROM_SERVICE, 0, 4, 4 },
	[FRAME_ENTRY] = { FROM_SERVICE, 0, ENTRY_FIXED + 1, ENTRY_FIXED + MAX_PATH_BYTES + MAX_TARGET_BYTES },
	[FRAME_LAUNCH] = { FROM_CLIENT_OF_LAUNCHER, 0, 1, MAX_PAYLOAD },
	[FRAME_HELLO] = { FROM_SUPERVISOR, 0, 22, 22 + MAX_NAME },
	[FRAME_OUTPUT] = { FROM_SUPERVISOR, OUTPUT_STDOUT | OUTPUT_STDERR, 1, MAX_CHUNK },
	[FRAME_COLLECTED] = { FROM_SUPERVISOR, COLLECTED_MORE, 4, 4 + MAX_CHUNK },
	[FRAME_RESULT] = { FROM_SUPERVISOR, 0, RESULT_BYTES, RESULT_BYTES },
	[FRAME_CLEAN] = { FROM_SUPERVISOR, 0, 24, 24 },
	[FRAME_TAKEN] = { FROM_SUPERVISOR, 0, 4, 4 },
	[FRAME_TREE] = { FROM_SUPERVISOR, TREE_MORE | TREE_CONTINUED, 1, ENTRY_FIXED + MAX_PATH_BYTES + MAX_CHUNK },
	[FRAME_ERROR] = { FROM_SUPERVISOR | FROM_CLIENT_OF_LAUNCHER, 0, 4, 4 + MAX_ERROR_TEXT },
};

struct cursor cursor_of(const uint8_t *bytes, size_t length)
{
	return (struct cursor){ .at = bytes, .end = bytes + length, .bad = false };
}

const uint8_t *take_bytes(struct cursor *c, size_t length)
{
	if (c->bad || (size_t)(c->end - c->at) < length) {
		c->bad = true;
		return NULL;
	}
	const uint8_t *start = c->at;
	c->at += length;
	return start;
}

static uint64_t take_integer(struct cursor *c, size_t width)
{
	const uint8_t *b = take_bytes(c, width);
	uint64_t v = 0;
	for (size_t i = 0; b && i < width; i++)
		v |= (uint64_t)b[i] << (8 * i);
	return v;
}

uint8_t take_u8(struct cursor *c)
{
	return (uint8_t)take_integer(c, 1);
}

uint16_t take_u16(struct cursor *c)
{
	return (uint16_t)take_integer(c, 2);
}

uint32_t take_u32(struct cursor *c)
{
	return (uint32_t)take_integer(c, 4);
}

uint64_t take_u64(struct cursor *c)
{
	return take_integer(c, 8);
}

static void put_integer(uint8_t **at, uint64_t v, size_t width)
{
	for (size_t i = 0; i < width; i++)
		*(*at)++ = (uint8_t)(v >> (8 * i));
}

void put_u16(uint8_t **at, uint16_t v)
{
	put_integer(at, v, 2);
}

void put_u32(uint8_t **at, uint32_t v)
{
	put_integer(at, v, 4);
}

void put_u64(uint8_t **at, uint64_t v)
{
	put_integer(at, v, 8);
}

void frame_header(uint8_t *out, uint8_t type, uint8_t flags, uint32_t id, uint32_t length)
{
	put_u32(&out, length);
	*out++ = type;
	*out++ = flags;
	put_u16(&out, 0);
	put_u32(&out, id);
}

static const char *header_fault(const struct frame *f, uint16_t zero, enum sender from)
{
	const struct rule *rule = &rules[f->type];
	if (!(rule->from & from))
		return "unknown frame type";
	if (f->length > MAX_PAYLOAD)
		return "frame too long";
	if (f->length < rule->length_min || f->length > rule->length_max)
		return "frame length not allowed for its type";
	if (zero)
		return "reserved header field is not zero";
	if (f->flags & ~rule->flags)
		return "unknown frame flag";
	if (f->type == FRAME_OUTPUT && f->flags != OUTPUT_STDOUT && f->flags != OUTPUT_STDERR)
		return "output of no single stream";
	return NULL;
}

enum frame_status frame_parse(const uint8_t *bytes, size_t have, enum sender from, struct frame *out,
			      const char **why)
{
	if (have < FRAME_HEADER)
		return FRAME_MORE;
	struct cursor c = cursor_of(bytes, FRAME_HEADER);
	out->length = take_u32(&c);
	out->type = take_u8(&c);
	out->flags = take_u8(&c);
	uint16_t zero = take_u16(&c);
	out->id = take_u32(&c);
	out->payload = bytes + FRAME_HEADER;
	*why = header_fault(out, zero, from);
	if (*why)
		return FRAME_BAD;
	return have - FRAME_HEADER < out->length ? FRAME_MORE : FRAME_WHOLE;
}

static bool component_allowed(const uint8_t *name, size_t length)
{
	if (length == 0 || length > MAX_NAME_BYTES)
		return false;
	if (name[0] == '.' && (length == 1 || (length == 2 && name[1] == '.')))
		return false;
	return true;
}

bool path_allowed(const uint8_t *path, size_t length)
{
	if (length == 0 || length > MAX_PATH_BYTES || memchr(path, 0, length))
		return false;
	size_t start = 0;
	unsigned depth = 0;
	for (size_t i = 0; i <= length; i++) {
		if (i < length && path[i] != '/')
			continue;
		if (!component_allowed(path + start, i - start) || ++depth > MAX_PATH_DEPTH)
			return false;
		start = i + 1;
	}
	return true;
}
