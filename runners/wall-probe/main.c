// Tries to get out of a jail, as a submission might: `wall-probe MODE NAME=VALUE…`. The service runs it behind each of its
// walls and holds what it says against what arrived on the host (src/judge/wall-test). One line an attempt:
// `NAME refused WHY` or `NAME open WHAT`; "open" is a hole. Static, so that it needs nothing of a jail's mounts. Where a wall
// does not hold it meets the host: nothing that it tries may do harm there, and what it finds open it undoes.
//   try        everything that a wall must refuse, then leaves what it can for a next run
//   look       looks for what `try` left
//   memory     touches `mib` MiB and says "filled"; waits then to be ended
//   processes  starts children until it may not, 64 at most, and says how many

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "probe.h"

enum { CHILDREN_MAX = 64 };

static int given_count;
static char **given_values;

const char *given(const char *name)
{
	const size_t length = strlen(name);
	for (int i = 0; i < given_count; i++)
		if (strncmp(given_values[i], name, length) == 0 && given_values[i][length] == '=')
			return given_values[i] + length + 1;
	return NULL;
}

static char what[PATH + 256]; // an attempt's own words

bool found(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(what, sizeof what, format, list);
	va_end(list);
	return true;
}

bool errno_is_kept(void)
{
	snprintf(what, sizeof what, "%s", strerror(errno));
	return false;
}

bool only_said(const char *text)
{
	snprintf(what, sizeof what, "%s", text);
	return false;
}

static bool is_untried;

bool not_tried(void)
{
	is_untried = true;
	return false;
}

static void report(struct attempts tried)
{
	for (size_t i = 0; i < tried.count; i++) {
		const struct attempt *each = &tried.list[i];
		if (each->needs && !given(each->needs))
			continue;
		what[0] = 0;
		is_untried = false;
		const bool is_open = each->is_open();
		if (is_untried)
			continue;
		printf("%s %s %s\n", each->name, is_open ? "open" : "refused", what);
		// What comes next may end this process.
		fflush(stdout);
	}
}

static void fill(void)
{
	const int mib = atoi(given("mib"));
	for (int i = 0; i < mib; i++) {
		char *piece = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece == MAP_FAILED) {
			puts("memory refused");
			return;
		}
		memset(piece, 1, 1 << 20);
		// Room for those walls that look at what is held.
		usleep(500);
	}
	puts("filled");
	fflush(stdout);
	for (;;)
		pause();
}

static void multiply(void)
{
	int count = 0;
	while (count < CHILDREN_MAX) {
		const pid_t child = fork();
		if (child < 0)
			break;
		if (child == 0)
			for (;;)
				pause();
		count++;
	}
	printf("children %d\n", count);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	given_count = argc > 2 ? argc - 2 : 0;
	given_values = argv + 2;
	if (strcmp(mode, "try") == 0) {
		report(network_attempts);
		report(kernel_attempts);
		report(file_attempts);
		leave();
	} else if (strcmp(mode, "look") == 0) {
		report(leftovers);
	} else if (strcmp(mode, "memory") == 0) {
		fill();
	} else if (strcmp(mode, "processes") == 0) {
		multiply();
	} else {
		fputs("usage: wall-probe try|look|memory|processes NAME=VALUE…\n", stderr);
		return 2;
	}
	return 0;
}
