// Stops the wall clock of the program that it is preloaded into, and of those that it starts: whatever asks the C library for
// the time of day gets ASSAY_CLOCK_MS (milliseconds since 1970), each time. All other clocks go on, so that sleeping and
// waiting work, and nobody measures limits by this one. It is a help for programs that want it, no wall: a system call of
// the program's own tells the true time.

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

enum { NS_PER_MS = 1000000, MS_PER_S = 1000 };

static struct timespec stopped;
static int is_stopped;
static int (*real_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void take(void)
{
	real_gettime = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
	const char *text = getenv("ASSAY_CLOCK_MS");
	if (!text)
		return;
	char *end;
	const long long ms = strtoll(text, &end, 10);
	if (*end || end == text || ms < 0)
		return;
	stopped.tv_sec = (time_t)(ms / MS_PER_S);
	stopped.tv_nsec = (long)(ms % MS_PER_S) * NS_PER_MS;
	is_stopped = 1;
}

static int is_wall_clock(clockid_t id)
{
	return id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
}

EXPORT int clock_gettime(clockid_t id, struct timespec *out)
{
	if (is_stopped && is_wall_clock(id)) {
		*out = stopped;
		return 0;
	}
	return real_gettime ? real_gettime(id, out) : (int)syscall(SYS_clock_gettime, id, out);
}

static struct timespec of_day(void)
{
	struct timespec now = { 0 };
	(void)clock_gettime(CLOCK_REALTIME, &now);
	return now;
}

EXPORT time_t time(time_t *out)
{
	const time_t now = of_day().tv_sec;
	if (out)
		*out = now;
	return now;
}

EXPORT int gettimeofday(struct timeval *restrict out, void *restrict zone)
{
	(void)zone; // obsolete (gettimeofday(2))
	const struct timespec now = of_day();
	out->tv_sec = now.tv_sec;
	out->tv_usec = now.tv_nsec / 1000;
	return 0;
}

EXPORT int timespec_get(struct timespec *out, int base)
{
	if (base != TIME_UTC)
		return 0;
	*out = of_day();
	return base;
}
