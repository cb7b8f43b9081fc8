// What is told of a run: the figures, and the cause that they and the limits acted upon amount to.

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "supervisor.h"

static bool input_unread(void)
{
	int left = 0;
	if (ioctl(run.input_kept, FIONREAD, &left) < 0)
		die(ERROR_SYSCALL, "FIONREAD");
	return left > 0 || run.fed < run.slot->request.stdin_bytes || run.fed < run.slot->received;
}

// Figures over a limit name the limit even when the program ended before it was seen, so that the cause does
// not depend on when the supervisor looked.
static enum cause judge(uint64_t cpu_ns, uint64_t wall_ns, uint32_t oom_kills, uint64_t memory)
{
	const struct request *q = &run.slot->request;
	if (run.limited)
		return run.cause;
	if (run.exec_failed)
		return CAUSE_NOT_STARTED;
	// Without a cgroup nothing stops a program at its limit, so the figure decides.
	if (oom_kills || (!cgroup_has(CG_MEMORY_LIMIT) && memory > q->memory_bytes + cgroup_memory_slack()))
		return CAUSE_MEMORY;
	if (run.streams[0].truncated || run.streams[1].truncated)
		return CAUSE_OUTPUT;
	if (cpu_ns > q->cpu_ms * NS_PER_MS)
		return CAUSE_CPU;
	if (wall_ns > q->wall_ms * NS_PER_MS)
		return CAUSE_WALL;
	if (!run.ended)
		die(ERROR_ASSERTION, "init ended without a report");
	return WIFEXITED(run.end.status) ? CAUSE_EXITED : CAUSE_SIGNALLED;
}

static uint64_t tree_cpu_ns(void)
{
	if (cgroup_opaque())
		return run.cpu_ns;
	// rusage of the program and the children it waited for, less our own steps before its exec. The cgroup
	// knows also the others, but its clock may lag by a scheduler tick.
	uint64_t program = run.ended && run.end.cpu_ns > run.exec_cpu_ns ? run.end.cpu_ns - run.exec_cpu_ns : 0;
	uint64_t tree = cgroup_has(CG_CPU) ? run.cpu_ns : run.polled_cpu;
	return tree > program ? tree : program;
}

static void peak(uint64_t *bytes, uint32_t *source)
{
	uint64_t rss = run.ended ? run.end.max_rss : 0;
	// A group that hit its limit was there, even if between two looks.
	if (!cgroup_peak_known() && cgroup_limit_hits() && run.polled_memory < run.slot->request.memory_bytes)
		run.polled_memory = run.slot->request.memory_bytes;
	*bytes = cgroup_memory_peak();
	*source = *bytes ? MEMORY_CGROUP_PEAK : MEMORY_UNKNOWN;
	if (cgroup_opaque()) {
		// Resident sets behind such a wall count files that are mapped in full.
		if (run.polled_memory > *bytes)
			*bytes = run.polled_memory;
		if (*bytes)
			*source = cgroup_peak_known() ? MEMORY_CGROUP_PEAK : MEMORY_POLLED;
		return;
	}
	if (*source == MEMORY_UNKNOWN && (run.polled_memory || rss)) {
		*source = run.polled_memory > rss ? MEMORY_POLLED : MEMORY_MAX_RSS;
		*bytes = run.polled_memory > rss ? run.polled_memory : rss;
	}
}

void result_send(void)
{
	uint8_t payload[RESULT_BYTES];
	uint8_t *at = payload;
	uint32_t oom_kills = cgroup_oom_kills();
	uint64_t cpu_ns = run.exec_failed ? 0 : tree_cpu_ns();
	uint64_t wall_ns = run.end_ns > run.exec_ns ? run.end_ns - run.exec_ns : 0;
	uint64_t uncounted_ns = run.stalled_ns + run.starved_ns;
	uint64_t counted_wall_ns = wall_ns > uncounted_ns ? wall_ns - uncounted_ns : 0;
	// It ended by itself after the limit and before anybody looked: what was seen of its waits before counts.
	if (!run.limited && counted_wall_ns > run.slot->request.wall_ms * NS_PER_MS) {
		uncounted_ns = run.stalled_ns + limits_starved(wall_ns - run.stalled_ns, cpu_ns);
		counted_wall_ns = wall_ns > uncounted_ns ? wall_ns - uncounted_ns : 0;
		// How long the wait was in which the limit was met, nobody knows any more.
		run.starved = run.starved || run.kept_waiting;
	}
	uint64_t memory;
	uint32_t source;
	peak(&memory, &source);
	enum cause cause = judge(cpu_ns, counted_wall_ns, oom_kills, memory);
	bool exited = run.ended && WIFEXITED(run.end.status) && !run.exec_failed;
	int signal = run.ended && WIFSIGNALED(run.end.status) ? WTERMSIG(run.end.status) : 0;
	put_u32(&at, cause);
	put_u32(&at, exited ? (uint32_t)WEXITSTATUS(run.end.status) : UINT32_MAX);
	put_u32(&at, run.ended ? (uint32_t)signal : run.exec_failed ? 0 : SIGKILL);
	put_u32(&at, run.exec_failed ? (uint32_t)run.exec_errno : 0);
	put_u64(&at, cpu_ns / 1000);
	put_u64(&at, wall_ns / 1000);
	put_u64(&at, uncounted_ns / 1000);
	put_u64(&at, memory);
	put_u32(&at, source);
	put_u32(&at, oom_kills);
	put_u32(&at, cgroup_limit_hits());
	put_u32(&at, cgroup_process_hits());
	put_u64(&at, run.streams[0].seen);
	put_u64(&at, run.streams[1].seen);
	uint32_t flags = staging_full() | (run.streams[0].truncated ? (uint32_t)RESULT_STDOUT_TRUNCATED : 0u) |
			 (run.streams[1].truncated ? (uint32_t)RESULT_STDERR_TRUNCATED : 0u) |
			 (input_unread() ? (uint32_t)RESULT_STDIN_UNREAD : 0u) |
			 (run.starved ? (uint32_t)RESULT_STARVED : 0u) |
			 (run.forked ? (uint32_t)RESULT_WARM : 0u);
	cgroup_end();
	collect_files(&run.slot->request, run.slot->id);
	if ((run.slot->request.flags & RUN_TREE) && cause != CAUSE_CANCELLED)
		tree_send(&run.slot->request, run.slot->id);
	put_u32(&at, flags);
	put_u32(&at, 0);
	channel_send(FRAME_RESULT, 0, run.slot->id, payload, sizeof payload);
}
