// The limits that the supervisor enforces itself, by looking: CPU and wall time, and what the cgroup only counts.

#include <limits.h>
#include <sys/resource.h>
#include <unistd.h>

#include "supervisor.h"

/// How many times its wall limit a run may be kept from its core before it is given up, and for how long at most.
enum { FORK_BOMB_HITS = 256, STARVED_MAX = 3 };
#define STARVED_MAX_NS (60 * NS_PER_S)
/// Looks at the waits of a run begin at half of its wall limit, and come so many times in each limit.
enum { WAIT_LOOKS = 8 };
/// Between two looks at one wait: longer than a tick of any kernel's clock, by which time on a core is counted.
#define WAIT_LOOK_NS (25 * NS_PER_MS)
#define CPU_CHECK_MIN_NS NS_PER_MS
#define START_LIMIT_NS (10 * NS_PER_S)

static long cpus;

void limits_open(void)
{
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (cpus < 1)
		cpus = 1;
}

static uint64_t stalled_until(uint64_t now)
{
	return run.stalled_ns + (run.stall_start ? now - run.stall_start : 0);
}

// Asks the processes themselves, where no cgroup counts for them; the memory that they have now, in bytes.
static uint64_t poll_tree(void)
{
	struct tree t = { 0 };
	if (cgroup_opaque())
		t.memory_bytes = cgroup_memory_grown();
	else
		t = measure_tree();
	if (t.memory_bytes > run.polled_memory)
		run.polled_memory = t.memory_bytes;
	// What has ended may be missing from a later sum.
	if (t.cpu_ns > run.polled_cpu)
		run.polled_cpu = t.cpu_ns;
	return t.memory_bytes;
}

static void slow_tick(void)
{
	if (cgroup_oom_kills())
		run_end_by(CAUSE_MEMORY);
	if (cgroup_process_hits() >= FORK_BOMB_HITS)
		run_end_by(CAUSE_PROCESSES);
	if (cgroup_has(CG_CPU) && cgroup_has(CG_MEMORY_LIMIT)) {
		uint64_t usage = cgroup_peak_known() ? 0 : cgroup_memory_usage();
		if (usage > run.polled_memory)
			run.polled_memory = usage;
		return;
	}
	const uint64_t memory = poll_tree();
	if (!cgroup_has(CG_MEMORY_LIMIT) && memory > run.slot->request.memory_bytes + cgroup_memory_slack())
		run_end_by(CAUSE_MEMORY);
}

static uint64_t cpu_used(void)
{
	return cgroup_has(CG_CPU) ? cgroup_cpu_ns() : run.polled_cpu;
}

static void check_cpu(uint64_t now)
{
	uint64_t limit = run.slot->request.cpu_ms * NS_PER_MS;
	uint64_t used = cpu_used();
	if (used > limit) {
		run_end_by(CAUSE_CPU);
		return;
	}
	// The soonest that the rest can be used up: on one core if pinned, else on all.
	uint64_t rest = (limit - used) / (run.slot->request.cpu >= 0 ? 1 : (uint64_t)cpus);
	run.next_cpu = now + (rest > CPU_CHECK_MIN_NS ? rest : CPU_CHECK_MIN_NS);
}

static struct waits look_at_waits(uint64_t now)
{
	const uint64_t limit = run.slot->request.wall_ms * NS_PER_MS;
	static int own = INT_MIN;
	if (own == INT_MIN)
		own = getpriority(PRIO_PROCESS, 0);
	const int niceness = run.niceness > own ? run.niceness : own;
	// A count of the last tick would make what they have had since a wait.
	if (!cgroup_has(CG_CPU))
		poll_tree();
	const struct waits waits = waits_look(now, cpu_used(), niceness);
	if (waits.longest_ns > run.waited_ns)
		run.waited_ns = waits.longest_ns;
	const uint64_t pause = limit / WAIT_LOOKS;
	run.next_look = now + WAIT_LOOK_NS;
	run.next_wait = now + (pause > WAIT_LOOK_NS ? pause : WAIT_LOOK_NS);
	return waits;
}

static uint64_t starved_most(void)
{
	const uint64_t most = run.slot->request.wall_ms * NS_PER_MS * STARVED_MAX;
	return most < STARVED_MAX_NS ? most : STARVED_MAX_NS;
}

// Time in which the run wanted a core that strangers had is no time of the program's. It is no more than what its CPU time
// leaves of the time that has passed.
uint64_t limits_starved(uint64_t passed, uint64_t used)
{
	const uint64_t most = starved_most();
	const uint64_t idle = passed > used ? passed - used : 0;
	const uint64_t starved = run.waited_ns < idle ? run.waited_ns : idle;
	run.starved = run.starved || starved > most;
	return starved > most ? most : starved;
}

// Whether a run that has met its limit may be in a wait that is not counted yet: the kernel counts it at its end, so that is
// awaited. What sleeps is in none.
static bool in_uncounted_wait(struct waits waits, uint64_t passed)
{
	run.kept_waiting = run.deferred && waits.goes_on;
	if (!run.deferred)
		return waits.wanted;
	if (!waits.goes_on)
		return false;
	run.starved = run.starved || passed > run.slot->request.wall_ms * NS_PER_MS + starved_most();
	return !run.starved;
}

static uint64_t later_deadline(uint64_t now)
{
	const uint64_t limit = run.slot->request.wall_ms * NS_PER_MS, begin = run.exec_ns + stalled_until(now);
	if (run.deferred && now < run.next_look)
		return run.next_look;
	const struct waits waits = look_at_waits(now);
	const uint64_t starved = limits_starved(now - begin, cpu_used());
	if (starved > run.starved_ns)
		run.starved_ns = starved;
	const uint64_t deadline = begin + limit + run.starved_ns;
	run.deferred = now >= deadline && in_uncounted_wait(waits, now - begin);
	return run.deferred ? run.next_look : deadline;
}

uint64_t limits_enforce(void)
{
	if (run.phase == IDLE)
		return NEVER;
	// Killed: only the end of init, and of the pipes, is awaited.
	if (run.killed || run.phase == ENDED)
		return NEVER;
	uint64_t now = now_ns();
	uint64_t deadline = run.exec_ns + run.slot->request.wall_ms * NS_PER_MS + stalled_until(now) + run.starved_ns;
	if (run.phase == STARTING) {
		// The program has not begun: whatever takes so long is ours.
		deadline = run.exec_ns + START_LIMIT_NS;
		if (now >= deadline)
			die(ERROR_ASSERTION, "the run did not come to its exec in time");
	} else if (now >= deadline) {
		deadline = later_deadline(now);
		if (now >= deadline)
			run_end_by(CAUSE_WALL);
	}
	if (now >= run.next_tick) {
		slow_tick();
		run.next_tick = now + cgroup_tick_ns();
	}
	if (run.phase == RUNNING && now >= run.next_cpu)
		check_cpu(now);
	if (run.phase == RUNNING && !run.next_wait)
		run.next_wait = run.exec_ns + run.slot->request.wall_ms * NS_PER_MS / 2;
	if (run.phase == RUNNING && now >= run.next_wait)
		(void)look_at_waits(now);
	uint64_t next = run.next_tick < deadline ? run.next_tick : deadline;
	if (run.phase == RUNNING && run.next_wait < next)
		next = run.next_wait;
	return run.next_cpu < next && run.phase == RUNNING ? run.next_cpu : next;
}
