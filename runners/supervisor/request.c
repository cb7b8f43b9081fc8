// Parses the payload of a RUN frame into a struct request. Pure: no system call, no state.

#include <string.h>

#include "supervisor.h"

struct strings {
	struct cursor c;
	char *free;
};

// A string of the frame has a length prefix of four bytes, so its copy with a NUL always fits the arena.
static char *next_string(struct strings *s)
{
	uint32_t length = take_u32(&s->c);
	const uint8_t *bytes = take_bytes(&s->c, length);
	if (!bytes || memchr(bytes, 0, length))
		return NULL;
	char *copy = s->free;
	memcpy(copy, bytes, length);
	copy[length] = 0;
	s->free += length + 1;
	return copy;
}

static bool next_strings(struct strings *s, char **out, uint16_t count)
{
	for (uint16_t i = 0; i < count; i++) {
		out[i] = next_string(s);
		if (!out[i])
			return false;
	}
	return true;
}

const char *request_parse(const uint8_t *payload, size_t length, struct request *out)
{
	struct strings s = { .c = cursor_of(payload, length), .free = out->arena };
	if (length > sizeof out->arena)
		return "RUN too long";
	out->flags = take_u32(&s.c);
	out->cpu_ms = take_u32(&s.c);
	out->wall_ms = take_u32(&s.c);
	out->processes = take_u32(&s.c);
	out->memory_bytes = take_u64(&s.c);
	out->output_bytes = take_u64(&s.c);
	out->disk_bytes = take_u64(&s.c);
	out->inodes = take_u32(&s.c);
	out->open_files = take_u32(&s.c);
	out->stack_bytes = take_u64(&s.c);
	out->collect_bytes = take_u64(&s.c);
	out->stdin_bytes = take_u64(&s.c);
	out->cpu = (int32_t)take_u32(&s.c);
	out->argc = take_u16(&s.c);
	out->envc = take_u16(&s.c);
	out->collectc = take_u16(&s.c);
	uint16_t zero = take_u16(&s.c);
	if (s.c.bad || zero)
		return "RUN: short or reserved field set";
	if (out->flags & ~(uint32_t)(RUN_WARM | RUN_LIVE | RUN_LIGHT | RUN_TREE))
		return "RUN: unknown flag";
	if (out->argc < 1 || out->argc > MAX_ARGC || out->envc > MAX_ENVC || out->collectc > MAX_COLLECT)
		return "RUN: number of strings out of range";
	if (out->stdin_bytes > (uint64_t)1 << 40 || out->cpu < -1 || out->cpu > 1023)
		return "RUN: stdin_bytes or cpu out of range";
	if ((out->flags & RUN_LIVE) && out->stdin_bytes)
		return "RUN: live with stdin_bytes";
	if (!out->cpu_ms || !out->wall_ms || !out->processes || !out->memory_bytes || !out->disk_bytes)
		return "RUN: a limit is zero";
	if (!next_strings(&s, out->argv, out->argc) || !next_strings(&s, out->envp, out->envc) ||
	    !next_strings(&s, out->collect, out->collectc))
		return "RUN: bad string";
	if (s.c.at != s.c.end)
		return "RUN: bytes after the last string";
	out->argv[out->argc] = NULL;
	out->envp[out->envc] = NULL;
	if (!strchr(out->argv[0], '/'))
		return "RUN: argv[0] is not a path";
	for (uint16_t i = 0; i < out->collectc; i++)
		if (!path_allowed((const uint8_t *)out->collect[i], strlen(out->collect[i])))
			return "RUN: path to collect is not allowed";
	return NULL;
}
