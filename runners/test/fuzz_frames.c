// Fuzz target of everything that parses bytes from outside: headers, RUN, FILE paths. With a fuzzing engine use
// LLVMFuzzerTestOneInput; built plainly (-DSTANDALONE) it runs the golden frames and seeded mutations of them.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../supervisor/supervisor.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_request(const struct frame *f)
{
	static struct request q;
	if (request_parse(f->payload, f->length, &q))
		return;
	// What was accepted keeps its promises.
	if (!q.argc || q.argv[q.argc] || q.envp[q.envc] || !strchr(q.argv[0], '/'))
		abort();
	size_t strings = 0;
	for (unsigned i = 0; i < q.argc; i++)
		strings += strlen(q.argv[i]) + 4;
	for (unsigned i = 0; i < q.envc; i++)
		strings += strlen(q.envp[i]) + 4;
	for (unsigned i = 0; i < q.collectc; i++) {
		strings += strlen(q.collect[i]) + 4;
		if (strstr(q.collect[i], "/../") || q.collect[i][0] == '/')
			abort();
	}
	if (strings + RUN_FIXED != f->length)
		abort();
}

static void check_path(const struct frame *f)
{
	struct cursor c = cursor_of(f->payload, f->length);
	uint16_t length = take_u16(&c);
	const uint8_t *path = take_bytes(&c, length);
	if (path && path_allowed(path, length) && (path[0] == '/' || path[length - 1] == '/' || memchr(path, 0, length)))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum sender senders[] = { FROM_SERVICE, FROM_SUPERVISOR, FROM_CLIENT_OF_LAUNCHER };
	if (!size)
		return 0;
	enum sender from = senders[data[0] % 3];
	for (size_t at = 1; at < size;) {
		struct frame f;
		const char *why;
		enum frame_status status = frame_parse(data + at, size - at, from, &f, &why);
		if (status != FRAME_WHOLE)
			return 0;
		if (f.length > MAX_PAYLOAD || f.payload + f.length > data + size)
			abort();
		if (f.type == FRAME_RUN)
			check_request(&f);
		if (f.type == FRAME_FILE)
			check_path(&f);
		at += FRAME_HEADER + f.length;
	}
	return 0;
}

#ifdef STANDALONE
enum { INPUTS_MAX = 256, INPUT_BYTES = 8192 };
static uint8_t inputs[INPUTS_MAX][INPUT_BYTES];
static size_t sizes[INPUTS_MAX];
static uint64_t state;

static uint32_t next(uint32_t below) // xorshift64*
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * 0x2545F4914F6CDD1Dull) >> 33) % below;
}

static size_t load(const char *path)
{
	static char line[4 * INPUT_BYTES];
	FILE *in = fopen(path, "r");
	size_t count = 0;
	while (in && count < INPUTS_MAX && fgets(line, sizeof line, in)) {
		char *hex = strstr(line, " | ");
		if (*line == '#' || !hex)
			continue;
		const char *from = hex + 3;
		hex = strstr(from, " | ") + 3;
		inputs[count][0] = *from == 'l' ? 2 : from[2] == 'p';
		size_t n = 1;
		for (unsigned v; n < INPUT_BYTES && sscanf(hex, "%2x", &v) == 1; hex += 2)
			inputs[count][n++] = (uint8_t)v;
		sizes[count++] = n;
	}
	if (in)
		fclose(in);
	return count;
}

// Copies to the heap at the exact size, so that the address sanitizer sees a read beyond the end.
static void run_one(const uint8_t *bytes, size_t n)
{
	uint8_t *exact = malloc(n ? n : 1);
	if (!exact)
		abort();
	memcpy(exact, bytes, n);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
}

static size_t mutate(uint8_t *b, size_t n)
{
	static const uint8_t odd[] = { 0, 1, 2, 4, 0x7f, 0x80, 0xfe, 0xff, '/', '.' };
	for (uint32_t k = 1 + next(4); k; k--)
		switch (next(4)) {
		case 0:
			b[next((uint32_t)n)] = odd[next(sizeof odd)];
			break;
		case 1:
			b[next((uint32_t)n)] ^= (uint8_t)(1u << next(8));
			break;
		case 2:
			n = 1 + next((uint32_t)n);
			break;
		default: { // the length field follows, so that the payload parsers are reached
			if (n > FRAME_HEADER + 1) {
				uint8_t *at = b + 1;
				put_u32(&at, (uint32_t)(n - FRAME_HEADER - 1));
			}
			break;
		}
		}
	return n;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : "golden/golden.txt";
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 200000;
	state = argc > 3 ? strtoull(argv[3], NULL, 10) | 1 : 20260101;
	static uint8_t work[INPUT_BYTES];
	size_t count = load(path);
	if (!count)
		return fprintf(stderr, "no golden frames in %s\n", path), 1;
	for (size_t i = 0; i < count; i++)
		run_one(inputs[i], sizes[i]);
	for (unsigned long i = 0; i < rounds; i++) {
		size_t which = next((uint32_t)count);
		memcpy(work, inputs[which], sizes[which]);
		run_one(work, mutate(work, sizes[which]));
	}
	printf("%zu golden frames and %lu mutations\n", count, rounds);
	return 0;
}
#endif
