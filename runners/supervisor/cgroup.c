// Limits and figures of the run, through files opened by the launcher. What differs between the back ends is
// data (one row each); the callers see no difference but the features announced.

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervisor.h"

struct backend {
	const char *name;
	uint16_t number;
	// Processes in the run's group that are not the run's: on v1 nsjail, the supervisor and the run's init.
	uint32_t own_processes;
	// Memory of the run's init, page tables, kernel stacks and pipe buffers, and of the kernel's batching.
	uint64_t memory_slack;
	const char *no_limit;
	// Keys in flat-keyed files; NULL for a file that holds one number.
	const char *cpu_key, *oom_key, *hits_key, *pids_key;
	uint64_t cpu_unit_ns;
};
enum { TICK_NS = 100 * 1000000, POLL_NS = 20 * 1000000 };

static const struct backend backends[] = {
	{
		.name = "none",
		.number = 0,
	},
	{
		.name = "v1",
		.number = 1,
		.own_processes = 3,
		.memory_slack = 4 * MIB,
		.no_limit = "-1",
		.oom_key = "oom_kill",
		.pids_key = "max",
		.cpu_unit_ns = 1,
	},
	{
		.name = "v2",
		.number = 2,
		.own_processes = 1,
		.memory_slack = 2 * MIB,
		.no_limit = "max",
		.cpu_key = "usage_usec",
		.oom_key = "oom_kill",
		.hits_key = "oom",
		.pids_key = "max",
		.cpu_unit_ns = 1000,
	},
};

static const struct backend *backend = &backends[0];
static int fds[CG_FILES] = { [0 ... CG_FILES - 1] = -1 };

// A sandbox's own memory comes and goes with its runs' system calls (gVisor: a Go heap).
#define OPAQUE_SLACK (16 * MIB)
#define ASK_STEP (4 * MIB)

static struct {
	uint64_t memory, cache, cpu_ns, own_cpu_ns;
	uint64_t oom, hits, pids;
	uint64_t limit; // as written
	uint64_t granted, own; // memory of the supervisor's own since the run began: allowed for, taken
	bool active;
} base;

// When the run's processes were last asked what they hold, and what the group's figure was then.
static struct {
	uint64_t figure, files, own;
} asked;

bool cgroup_select(const char *name)
{
	for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
		if (!strcmp(name, backends[i].name)) {
			backend = &backends[i];
			return true;
		}
	return false;
}

void cgroup_set_fd(enum cgroup_file file, int fd)
{
	fds[file] = fd;
}

bool cgroup_has(enum cgroup_file file)
{
	return fds[file] >= 0;
}

bool cgroup_opaque(void)
{
	return cgroup_has(CG_CPU) && !cgroup_has(CG_MEMORY_LIMIT);
}

bool cgroup_shared(void)
{
	return backend->number && !cgroup_has(CG_RUN_GROUP);
}

void cgroup_open(void)
{
	for (int i = 0; i < CG_FILES; i++)
		if (fds[i] >= 0 && fcntl(fds[i], F_SETFD, FD_CLOEXEC) < 0)
			die(ERROR_SYSCALL, "cgroup descriptor %d", fds[i]);
}

uint16_t cgroup_number(void)
{
	return backend->number;
}

int cgroup_group_fd(void)
{
	return fds[CG_RUN_GROUP];
}

static bool peak_resets;

uint32_t cgroup_features(void)
{
	// A peak that cannot be reset (v2 before Linux 6.12) would report the largest of all runs.
	peak_resets = cgroup_has(CG_MEMORY_PEAK) && pwrite(fds[CG_MEMORY_PEAK], "0", 1, 0) == 1;
	return (cgroup_has(CG_MEMORY_LIMIT) ? FEATURE_MEMORY : 0u) | (cgroup_has(CG_PIDS_LIMIT) ? FEATURE_PIDS : 0u) |
	       (cgroup_has(CG_CPU) ? FEATURE_CPU : 0u) | (peak_resets ? FEATURE_PEAK_RESET : 0u);
}

uint64_t cgroup_tick_ns(void)
{
	// What no group limits is looked at more often.
	return cgroup_has(CG_MEMORY_LIMIT) ? TICK_NS : POLL_NS;
}

// The number in a file, or after `key` at the start of a line; 0 where there is no such file.
static uint64_t read_number(enum cgroup_file file, const char *key)
{
	char text[1024];
	if (fds[file] < 0)
		return 0;
	ssize_t n = pread(fds[file], text, sizeof text - 1, 0);
	if (n < 0)
		die(ERROR_SYSCALL, "reading cgroup file %d", (int)file);
	text[n] = 0;
	char *at = text;
	size_t length = key ? strlen(key) : 0;
	while (key && !(strncmp(at, key, length) == 0 && at[length] == ' ')) {
		at = strchr(at, '\n');
		if (!at)
			return 0;
		at++;
	}
	return strtoull(at + length, NULL, 10);
}

static bool write_text(enum cgroup_file file, const char *text)
{
	if (fds[file] < 0)
		return true;
	size_t length = strlen(text);
	return pwrite(fds[file], text, length, 0) == (ssize_t)length;
}

static void write_number(enum cgroup_file file, uint64_t v)
{
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)v);
	if (!write_text(file, text))
		die(ERROR_SYSCALL, "writing %s to cgroup file %d", text, (int)file);
}

// Clean pages of host files that the jail was the first to read, a compiler's for instance. The kernel takes them back
// when the group meets its limit, so a limit above them would be that much wider for the program.
// Looked up only when the usage has moved: memory.stat is slow to read.
uint64_t cgroup_reclaimable(uint64_t usage)
{
	static uint64_t looked_at, cache;
	uint64_t moved = usage > looked_at ? usage - looked_at : looked_at - usage;
	if (cgroup_has(CG_MEMORY_STAT) && moved > MIB / 4) {
		looked_at = usage;
		cache = read_number(CG_MEMORY_STAT, "inactive_file") + read_number(CG_MEMORY_STAT, "active_file");
	}
	return cache < usage ? cache : usage;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

// gVisor's own groups have no memory.stat, and their figure may hold, or not, the files that are mapped. The program's
// memory lies between it and it less those files, and is what its processes hold, if that lies between. Asking them takes
// milliseconds, so it is done when the figure has moved.
static uint64_t without_files(uint64_t figure)
{
	if (!cgroup_opaque() || cgroup_has(CG_MEMORY_STAT))
		return figure;
	const uint64_t moved = figure > asked.figure ? figure - asked.figure : asked.figure - figure;
	if (moved > ASK_STEP) {
		const struct memory_held held = memory_held();
		asked.figure = figure;
		asked.files = held.files;
		asked.own = held.own;
	}
	const uint64_t least = less(figure, asked.files);
	const uint64_t own = less(asked.own + figure, asked.figure);
	return own < least ? least : own < figure ? own : figure;
}

static void limit_memory(const struct request *q)
{
	uint64_t own = q->memory_bytes + backend->memory_slack;
	base.limit = base.memory - cgroup_reclaimable(base.memory) + own;
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)base.limit);
	if (write_text(CG_MEMORY_LIMIT, text))
		return;
	// EBUSY: the cache is more than the limit, and in use.
	base.limit = base.memory + own;
	write_number(CG_MEMORY_LIMIT, base.limit);
}

void cgroup_begin(const struct request *q)
{
	base.memory = cgroup_shared() ? read_number(CG_MEMORY_USAGE, NULL) : leftovers_memory();
	base.cache = cgroup_opaque() ? cgroup_reclaimable(base.memory) : 0;
	base.granted = base.own = 0;
	base.active = true;
	asked.figure = asked.files = asked.own = 0;
	const uint64_t warm = cgroup_shared() ? warm_count() : 0;
	write_number(CG_PIDS_LIMIT, q->processes + backend->own_processes + warm);
	limit_memory(q);
	if (peak_resets && !write_text(CG_MEMORY_PEAK, "0"))
		die(ERROR_SYSCALL, "resetting the memory peak");
	base.oom = read_number(CG_MEMORY_EVENTS, backend->oom_key);
	base.hits = read_number(CG_MEMORY_HITS, backend->hits_key);
	base.pids = read_number(CG_PIDS_EVENTS, backend->pids_key);
	cgroup_exec();
}

void cgroup_exec(void)
{
	if (!cgroup_has(CG_CPU))
		return;
	// Reading our own clock charges the group up to now, so it comes first.
	base.own_cpu_ns = own_cpu_ns();
	base.cpu_ns = read_number(CG_CPU, backend->cpu_key) * backend->cpu_unit_ns;
}

void cgroup_own_memory(uint64_t bytes)
{
	if (!base.active || !cgroup_shared())
		return;
	base.own += bytes;
	if (base.own <= base.granted || !cgroup_has(CG_MEMORY_LIMIT))
		return;
	base.granted = base.own + MIB;
	write_number(CG_MEMORY_LIMIT, base.limit + base.granted);
}

void cgroup_end(void)
{
	base.active = false;
	if (backend->no_limit && !write_text(CG_MEMORY_LIMIT, backend->no_limit))
		die(ERROR_SYSCALL, "lifting the memory limit");
}

uint64_t cgroup_cpu_ns(void)
{
	if (!cgroup_has(CG_CPU))
		return 0;
	uint64_t own = cgroup_shared() && !cgroup_opaque() ? own_cpu_ns() - base.own_cpu_ns : 0;
	uint64_t group = read_number(CG_CPU, backend->cpu_key) * backend->cpu_unit_ns;
	return less(less(group, base.cpu_ns), own);
}

uint64_t cgroup_memory_peak(void)
{
	if (!peak_resets)
		return 0;
	// What it has read of the host's files since is no more the run's than what was read before.
	uint64_t cache = cgroup_opaque() ? less(cgroup_reclaimable(cgroup_memory_usage()), base.cache) : 0;
	return less(read_number(CG_MEMORY_PEAK, NULL), base.memory + base.own + cache);
}

uint64_t cgroup_memory_grown(void)
{
	uint64_t usage = cgroup_memory_usage();
	return without_files(less(usage - cgroup_reclaimable(usage), base.memory - base.cache + base.own));
}

uint64_t cgroup_memory_slack(void)
{
	return cgroup_opaque() ? OPAQUE_SLACK : 0;
}

bool cgroup_peak_known(void)
{
	return peak_resets;
}

uint64_t cgroup_memory_usage(void)
{
	return read_number(CG_MEMORY_USAGE, NULL);
}

uint32_t cgroup_oom_kills(void)
{
	return (uint32_t)less(read_number(CG_MEMORY_EVENTS, backend->oom_key), base.oom);
}

uint32_t cgroup_limit_hits(void)
{
	return (uint32_t)less(read_number(CG_MEMORY_HITS, backend->hits_key), base.hits);
}

uint32_t cgroup_process_hits(void)
{
	return (uint32_t)less(read_number(CG_PIDS_EVENTS, backend->pids_key), base.pids);
}
