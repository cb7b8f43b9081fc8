// How long the threads of a run waited for a core, from /proc. The kernel's own sum knows a wait only once it has ended, and
// one may be longer than a whole limit; so a thread that wants a core at two looks and has not slept between them has waited
// all the time that it was not on one. What is found is never more than the truth, but for a tick of the clock.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor.h"

/// More than these are not looked at: their waits count for nothing.
enum { PIDS_MAX = 256, THREADS_MAX = 256, STATUS_MAX = 4096 };

struct thread {
	pid_t id;
	bool wants_core;
	uint64_t seen_ns, own_ns, sleeps, waited_ns;
};

static struct thread threads[THREADS_MAX];
static size_t thread_count;

static struct {
	pid_t pids[PIDS_MAX];
	size_t pid_count;
	uint64_t now, used_ns, longest;
	int niceness;
	bool wanted, goes_on;
} look;
static uint64_t last_ns, last_used_ns;

void waits_begin(void)
{
	thread_count = 0;
	last_ns = last_used_ns = 0;
}

static void note_process(int dir, const char *pid)
{
	(void)dir;
	const pid_t number = atoi(pid);
	if (number != 1 && !warm_is(number) && look.pid_count < PIDS_MAX)
		look.pids[look.pid_count++] = number;
}

static struct thread *known(pid_t id)
{
	for (size_t i = 0; i < thread_count; i++)
		if (threads[i].id == id)
			return &threads[i];
	if (thread_count == THREADS_MAX)
		return NULL;
	threads[thread_count] = (struct thread){ .id = id };
	return &threads[thread_count++];
}

static bool count_sleeps(int dir, const char *thread, uint64_t *sleeps)
{
	static const char key[] = "\nvoluntary_ctxt_switches:";
	static char text[STATUS_MAX];
	const char *at = read_small(dir, thread, "/status", text, sizeof text) ? strstr(text, key) : NULL;
	if (at)
		*sleeps = strtoull(at + sizeof key - 1, NULL, 10);
	return at != NULL;
}

// What the thread has certainly waited: `ended` of it by the kernel's sum. A wait that went on at the look before is counted
// already when the sum takes it up, so the larger of the two holds.
static uint64_t waited_by_now(struct thread *t, struct thread now, uint64_t ended)
{
	// Another thread under the number of one that is gone.
	const bool is_new = !t->seen_ns || now.own_ns < t->own_ns || now.sleeps < t->sleeps;
	now.waited_ns = is_new ? 0 : t->waited_ns;
	if (!is_new && t->wants_core && now.wants_core && t->sleeps == now.sleeps) {
		const uint64_t passed = now.seen_ns - t->seen_ns, used = now.own_ns - t->own_ns;
		now.waited_ns += passed > used ? passed - used : 0;
		look.goes_on = look.goes_on || !used;
	}
	look.wanted = look.wanted || now.wants_core;
	if (ended > now.waited_ns)
		now.waited_ns = ended;
	*t = now;
	return now.waited_ns;
}

// Behind a wall with a kernel of its own that one's clock of a thread goes on while the host has no core for it, and the
// group's does not.
static uint64_t wait_behind_wall(const char *stat)
{
	char *at = stat_field(stat, 14);
	const uint64_t user = strtoull(at, &at, 10), system = strtoull(at, NULL, 10);
	const uint64_t clocked = (user + system) * tick_ns();
	return clocked > look.used_ns ? clocked - look.used_ns : 0;
}

// The numbers of schedstat are the time on a core and the time on its queue (Documentation/scheduler/sched-stats.rst). What
// others of the run used meanwhile was no stranger's.
static uint64_t wait_for_strangers(int dir, const char *name, const char *stat)
{
	char text[128];
	uint64_t sleeps;
	struct thread *t = known(atoi(name));
	if (!t || !count_sleeps(dir, name, &sleeps) || !read_small(dir, name, "/schedstat", text, sizeof text))
		return 0;
	char *at = text;
	const uint64_t own = strtoull(at, &at, 10), ended = strtoull(at, NULL, 10);
	const struct thread now = {
		.id = t->id,
		.wants_core = *stat_field(stat, 3) == 'R',
		.seen_ns = look.now,
		.own_ns = own,
		.sleeps = sleeps,
	};
	const uint64_t waited = waited_by_now(t, now, ended);
	const uint64_t others = look.used_ns > own ? look.used_ns - own : 0;
	return waited > others ? waited - others : 0;
}

static void note_wait(int dir, const char *name)
{
	char stat[1024];
	if (!read_small(dir, name, "/stat", stat, sizeof stat) || !stat_field(stat, 19))
		return;
	// Field 19 is the niceness. Who has stood back by itself has nobody to blame for its waiting.
	if (strtol(stat_field(stat, 19), NULL, 10) > look.niceness)
		return;
	const uint64_t lost = cgroup_opaque() ? wait_behind_wall(stat) : wait_for_strangers(dir, name, stat);
	if (lost > look.longest)
		look.longest = lost;
}

struct waits waits_look(uint64_t now, uint64_t used_ns, int niceness)
{
	look.pid_count = 0;
	look.longest = 0;
	look.now = now;
	look.used_ns = used_ns;
	look.niceness = niceness;
	look.wanted = look.goes_on = false;
	(void)entries_if_there("/proc", note_process);
	for (size_t i = 0; i < look.pid_count; i++) {
		char path[32];
		(void)snprintf(path, sizeof path, "/proc/%d/task", (int)look.pids[i]);
		(void)entries_if_there(path, note_wait);
	}
	// Where the run itself had the core meanwhile, it is its own threads that wait for each other.
	const bool by_strangers = last_ns && used_ns - last_used_ns < (now - last_ns) / 2;
	last_ns = now;
	last_used_ns = used_ns;
	return (struct waits){
		.longest_ns = look.longest,
		.wanted = look.wanted,
		.goes_on = look.goes_on && by_strangers,
	};
}
