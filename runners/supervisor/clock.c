// The two clocks of the supervisor: monotonic time, and the CPU time of its own process.

#include <time.h>

#include "supervisor.h"

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;
	if (clock_gettime(id, &t) < 0)
		die(ERROR_SYSCALL, "clock_gettime");
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

uint64_t now_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t own_cpu_ns(void)
{
	return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}
