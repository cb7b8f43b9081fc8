// Reads golden.txt and checks that each frame parses to what its line says, or is refused for the reason given;
// then that no prefix of a frame is taken for a whole one. Also writes the supervisor's frames back.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../supervisor/supervisor.h"

enum { LINE_MAX_BYTES = 16384 };

static char said[LINE_MAX_BYTES];
static size_t said_length;
static struct request request;

_Noreturn void die(enum error_code code, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vfprintf(stderr, format, list);
	va_end(list);
	fprintf(stderr, " (%d)\n", (int)code);
	exit(1);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	int n = vsnprintf(said + said_length, sizeof said - said_length, format, list);
	va_end(list);
	if (n < 0 || (size_t)n >= sizeof said - said_length)
		die(ERROR_ASSERTION, "line too long");
	said_length += (size_t)n;
}

static void say_bytes(const uint8_t *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool plain = (b[i] >= '0' && b[i] <= '9') || ((b[i] | 32) >= 'a' && (b[i] | 32) <= 'z' && b[i] < 128) ||
			     (b[i] && strchr("_./=-", b[i]));
		if (plain)
			say("%c", b[i]);
		else
			say("%%%02X", b[i]);
	}
}

static void say_strings(const char *key, char *const *s, unsigned count)
{
	say(" %s=", key);
	for (unsigned i = 0; i < count; i++) {
		if (i)
			say(",");
		say_bytes((const uint8_t *)s[i], strlen(s[i]));
	}
}

static void say_rest(const char *key, const struct cursor *c)
{
	say(" %s=", key);
	say_bytes(c->at, (size_t)(c->end - c->at));
}

static void say_u32s(struct cursor *c, const char *keys)
{
	char copy[256], *state;
	strcpy(copy, keys);
	for (char *k = strtok_r(copy, " ", &state); k; k = strtok_r(NULL, " ", &state))
		say(" %s=%u", k, take_u32(c));
}

static const char *say_file(const struct frame *f)
{
	struct cursor c = cursor_of(f->payload, f->length);
	uint16_t length = take_u16(&c);
	const uint8_t *path = take_bytes(&c, length);
	if (!path || !path_allowed(path, length))
		return "path is not allowed";
	say(" path=");
	say_bytes(path, length);
	say_rest("content", &c);
	return NULL;
}

static const char *say_run(const struct frame *f)
{
	const char *wrong = request_parse(f->payload, f->length, &request);
	if (wrong)
		return wrong;
	const struct request *q = &request;
	say(" run_flags=%u cpu_ms=%u wall_ms=%u processes=%u memory_bytes=%llu output_bytes=%llu disk_bytes=%llu inodes=%u "
	    "open_files=%u stack_bytes=%llu collect_bytes=%llu stdin_bytes=%llu cpu=%d",
	    q->flags, q->cpu_ms, q->wall_ms, q->processes, (unsigned long long)q->memory_bytes,
	    (unsigned long long)q->output_bytes, (unsigned long long)q->disk_bytes, q->inodes, q->open_files,
	    (unsigned long long)q->stack_bytes, (unsigned long long)q->collect_bytes, (unsigned long long)q->stdin_bytes,
	    q->cpu);
	say_strings("argv", q->argv, q->argc);
	say_strings("env", q->envp, q->envc);
	say_strings("collect", q->collect, q->collectc);
	return NULL;
}

static void say_record(uint8_t kind, struct cursor *c)
{
	static const char *const names[] = { "", "config", "write", "fd", "mkdir", "chown", "join" };
	say("%s", names[kind]);
	if (kind != LAUNCH_CONFIG)
		say(":%u", take_u8(c));
	if (kind == LAUNCH_CHOWN)
		say(":%u", take_u32(c));
	if (kind == LAUNCH_FD) {
		say(":%u", take_u8(c));
		say(":%u", take_u8(c));
	}
	if (kind == LAUNCH_WRITE) {
		size_t n = take_u8(c);
		say(":");
		say_bytes(take_bytes(c, n), n);
	}
	say(":");
	say_bytes(c->at, (size_t)(c->end - c->at));
}

static void say_launch(const struct frame *f)
{
	struct cursor c = cursor_of(f->payload, f->length);
	for (const char *between = " records="; c.at < c.end; between = ",") {
		uint8_t kind = take_u8(&c);
		uint32_t length = take_u32(&c);
		const uint8_t *b = take_bytes(&c, length);
		if (!b || kind < 1 || kind > LAUNCH_JOIN)
			die(ERROR_ASSERTION, "bad record");
		struct cursor record = cursor_of(b, length);
		say("%s", between);
		say_record(kind, &record);
	}
}

static void say_hello_fields(struct cursor *c)
{
	say(" protocol=%u", take_u16(c));
	say(" cgroup=%u", take_u16(c));
	say_u32s(c, "features fds mounts processes");
	take_u16(c);
	say_rest("name", c);
}

static void say_result(struct cursor *c)
{
	say(" cause=%u", take_u32(c));
	say(" exit_code=%d", (int)take_u32(c));
	say(" signal=%d", (int)take_u32(c));
	say(" start_errno=%d", (int)take_u32(c));
	static const char *const wide[] = { "cpu_us", "wall_us", "stalled_us", "memory_bytes" };
	for (int i = 0; i < 4; i++)
		say(" %s=%llu", wide[i], (unsigned long long)take_u64(c));
	say_u32s(c, "memory_source oom_kills limit_hits process_hits");
	say(" stdout_bytes=%llu", (unsigned long long)take_u64(c));
	say(" stderr_bytes=%llu", (unsigned long long)take_u64(c));
	say_u32s(c, "flags");
}
static const char *say_entry(struct cursor *c)
{
	say(" kind=%u", take_u8(c));
	say(" mode=%u", take_u16(c));
	say(" mtime_us=%llu", (unsigned long long)take_u64(c));
	uint16_t length = take_u16(c);
	const uint8_t *path = take_bytes(c, length);
	if (!path || (length && !path_allowed(path, length)))
		return "path is not allowed";
	say(" path=");
	say_bytes(path, length);
	say_rest("rest", c);
	return NULL;
}

// Returns why the frame is to be refused, or NULL after saying what it says.
static const char *describe(const struct frame *f)
{
	static const char *const names[256] = {
		[FRAME_FILE] = "FILE",	   [FRAME_RUN] = "RUN",	      [FRAME_STDIN] = "STDIN",	       [FRAME_CANCEL] = "CANCEL",
		[FRAME_RESET] = "RESET",   [FRAME_LAUNCH] = "LAUNCH", [FRAME_HELLO] = "HELLO",	       [FRAME_OUTPUT] = "OUTPUT",
		[FRAME_RESULT] = "RESULT", [FRAME_CLEAN] = "CLEAN",   [FRAME_COLLECTED] = "COLLECTED", [FRAME_ERROR] = "ERROR",
		[FRAME_END] = "END",	   [FRAME_TAKEN] = "TAKEN",      [FRAME_SIGNAL] = "SIGNAL",
		[FRAME_ENTRY] = "ENTRY",   [FRAME_TREE] = "TREE",
	};
	struct cursor c = cursor_of(f->payload, f->length);
	said_length = 0;
	say("type=%s flags=%u id=%u", names[f->type], f->flags, f->id);
	switch (f->type) {
	case FRAME_FILE:
		return say_file(f);
	case FRAME_RUN:
		return say_run(f);
	case FRAME_LAUNCH:
		say_launch(f);
		return NULL;
	case FRAME_STDIN:
	case FRAME_OUTPUT:
		say_rest("content", &c);
		return NULL;
	case FRAME_HELLO:
		say_hello_fields(&c);
		return NULL;
	case FRAME_COLLECTED:
		say(" index=%u", take_u16(&c));
		say(" status=%u", take_u16(&c));
		say_rest("content", &c);
		return NULL;
	case FRAME_RESULT:
		say_result(&c);
		return NULL;
	case FRAME_CLEAN:
		say_u32s(&c, "clean fds mounts processes");
		say(" memory_bytes=%llu", (unsigned long long)take_u64(&c));
		return NULL;
	case FRAME_TAKEN:
		say_u32s(&c, "bytes");
		return NULL;
	case FRAME_SIGNAL:
		say_u32s(&c, "signal");
		return NULL;
	case FRAME_TREE:
		if (f->flags & TREE_CONTINUED) {
			say_rest("content", &c);
			return NULL;
		}
		return say_entry(&c);
	case FRAME_ENTRY:
		return say_entry(&c);
	case FRAME_ERROR:
		say_u32s(&c, "code");
		say_rest("text", &c);
		return NULL;
	default:
		return NULL;
	}
}

static enum sender sender_of(const char *name)
{
	return !strcmp(name, "service")	 ? FROM_SERVICE :
	       !strcmp(name, "launcher") ? FROM_CLIENT_OF_LAUNCHER :
					   FROM_SUPERVISOR;
}

static int check_frame(const char *name, enum sender from, const uint8_t *bytes, size_t n, const char *wanted)
{
	struct frame f = { 0 };
	const char *why = NULL;
	enum frame_status status = frame_parse(bytes, n, from, &f, &why);
	if (status == FRAME_WHOLE) {
		uint8_t again[FRAME_HEADER];
		frame_header(again, f.type, f.flags, f.id, f.length);
		if (f.length + FRAME_HEADER != n || memcmp(again, bytes, FRAME_HEADER))
			die(ERROR_ASSERTION, "%s: header does not survive", name);
		why = describe(&f);
		for (size_t i = 0; i < n; i++)
			if (frame_parse(bytes, i, from, &f, &why) == FRAME_WHOLE)
				die(ERROR_ASSERTION, "%s: a prefix of %zu bytes is whole", name, i);
		frame_parse(bytes, n, from, &f, &why);
		why = describe(&f);
	}
	if (why) {
		said_length = 0;
		say("bad=");
		say_bytes((const uint8_t *)why, strlen(why));
	}
	if (!strcmp(said, wanted))
		return 0;
	printf("FAIL %s\n  says   %s\n  wanted %s\n", name, said, wanted);
	return 1;
}

static size_t from_hex(const char *hex, uint8_t *out)
{
	size_t n = 0;
	for (unsigned v; sscanf(hex, "%2x", &v) == 1; hex += 2)
		out[n++] = (uint8_t)v;
	return n;
}

int main(int argc, char **argv)
{
	static char line[LINE_MAX_BYTES];
	static uint8_t bytes[LINE_MAX_BYTES / 2];
	FILE *in = fopen(argc > 1 ? argv[1] : "golden/golden.txt", "r");
	if (!in)
		die(ERROR_ASSERTION, "no golden.txt");
	int failed = 0, count = 0;
	while (fgets(line, sizeof line, in)) {
		char *part[4] = { line }, *at = line;
		if (*line == '#')
			continue;
		line[strcspn(line, "\n")] = 0;
		for (int i = 1; i < 4; i++) {
			at = strstr(at, " | ");
			if (!at)
				die(ERROR_ASSERTION, "malformed line %s", line);
			*at = 0;
			part[i] = at += 3;
		}
		failed += check_frame(part[0], sender_of(part[1]), bytes, from_hex(part[2], bytes), part[3]);
		count++;
	}
	fclose(in);
	printf("%d golden frames, %d failed\n", count, failed);
	return failed || count < 40;
}
