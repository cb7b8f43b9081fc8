// What the kernel frees in its own time after the last process of a run has ended: the memory of its IPC namespace,
// sockets that hold each other's descriptors. The next run waits for that, or it would be judged by another's memory
// and see another's sockets. What has not gone in time is taken as lasting: it counts for nobody, and the jail is said to
// be unclean.

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "supervisor.h"

enum { WAIT_STEPS = 2000, STEP_NS = 1000000 };
// Caches of the kernel for this group, and its counting in batches; or the heap of a wall that is in the group.
#define MEMORY_SLACK (16 * MIB)
#define OPAQUE_SLACK (64 * MIB)

static int sockstat = -1;
static uint64_t clean_sockets, clean_memory;
static uint64_t lasting_memory; // beyond the clean jail's
static bool unclean;

static uint64_t sockets(void)
{
	char text[128];
	static const char key[] = "sockets: used ";
	ssize_t n = sockstat < 0 ? -1 : pread(sockstat, text, sizeof text - 1, 0);
	if (n <= 0)
		return 0;
	text[n] = 0;
	const char *at = strstr(text, key);
	return at ? strtoull(at + sizeof key - 1, NULL, 10) : 0;
}

static uint64_t memory(void)
{
	uint64_t usage = cgroup_memory_usage();
	return usage - cgroup_reclaimable(usage);
}

void leftovers_open(void)
{
	// Without it (gVisor) there is nothing to see, and no such sockets either.
	sockstat = open("/proc/net/sockstat", O_RDONLY | O_CLOEXEC);
	clean_sockets = sockets();
	clean_memory = memory();
}

static bool sockets_gone(void)
{
	if (sockets() <= clean_sockets)
		return true;
	// The kernel looks for sockets that only hold each other when one is closed.
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		die(ERROR_SYSCALL, "socketpair");
	close(pair[0]);
	close(pair[1]);
	return false;
}

static bool memory_gone(uint64_t held)
{
	uint64_t bound = clean_memory + lasting_memory + held + (cgroup_opaque() ? OPAQUE_SLACK : MEMORY_SLACK);
	// What can be reclaimed costs the kernel a page of text to tell, and seldom matters.
	return cgroup_memory_usage() <= bound || memory() <= bound;
}

void leftovers_await(uint64_t held)
{
	if (!cgroup_shared())
		held = 0;
	const struct timespec step = { .tv_nsec = STEP_NS };
	for (int i = 0; i < WAIT_STEPS; i++) {
		if (sockets_gone() && memory_gone(held))
			return;
		if (nanosleep(&step, NULL) < 0 && errno != EINTR)
			die(ERROR_SYSCALL, "nanosleep");
	}
	warn("a past run's memory or sockets have not gone");
	unclean = true;
	uint64_t usage = memory(), known = clean_memory + held;
	lasting_memory = usage > known ? usage - known : 0;
	clean_sockets = sockets();
}

bool leftovers_gone(void)
{
	leftovers_await(0);
	return !unclean;
}

uint64_t leftovers_memory(void)
{
	return lasting_memory;
}
