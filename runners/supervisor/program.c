// The last steps before the submitted program: own session or process group, limits, uid, no capabilities, no new
// privileges, seccomp, exec. Runs in a vfork child of the run's init, which shares the supervisor's memory (raw.h); or in a child of a
// warm runtime, which goes on instead of exec.

#include <errno.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "raw.h"
#include "supervisor.h"

// What a runtime may map and never touch: V8 maps 512 MiB of writable code range for each isolate where the processor
// has protection keys, and glibc a whole stack for each thread.
#define DATA_RESERVE (4096 * MIB)

_Noreturn void step_failed(int status_fd, int step, long result)
{
	const struct report r = { .kind = REPORT_STEP_FAILED, .step = step, .error = (int32_t)-result };
	// Nobody is left to tell when this fails; the supervisor sees the pipe end without a report.
	(void)raw(SYS_write, status_fd, &r, sizeof r);
	raw_exit(1);
}

void must_step(int status_fd, int step, long result)
{
	if (result < 0)
		step_failed(status_fd, step, result);
}

void close_capabilities(void)
{
	for (unsigned long cap = 0; prctl(PR_CAPBSET_READ, cap, 0, 0, 0) >= 0; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			die(ERROR_SYSCALL, "PR_CAPBSET_DROP");
	// EINVAL: a kernel without ambient capabilities and secure bits (gVisor). There the bounding set, which is empty now,
	// and the program's own uid keep capabilities from an exec.
	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0 && errno != EINVAL)
		die(ERROR_SYSCALL, "PR_CAP_AMBIENT");
	const unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
				   SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
	if (prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) < 0 && errno != EINVAL)
		die(ERROR_SYSCALL, "PR_SET_SECUREBITS");
}

long drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };
	// The other sets are empty since close_capabilities.
	return raw(SYS_capset, &head, none);
}

static void limit(int status_fd, int what, uint64_t want)
{
	struct rlimit r = { .rlim_cur = want, .rlim_max = want };
	long result = raw(SYS_setrlimit, what, &r);
	if (result == -EPERM) {
		// The hard limit is lower, and cannot be raised from inside a user namespace.
		must_step(status_fd, STEP_RLIMIT, raw(SYS_getrlimit, what, &r));
		r.rlim_cur = r.rlim_max;
		result = raw(SYS_setrlimit, what, &r);
	}
	must_step(status_fd, STEP_RLIMIT, result);
}

// Some kernels have neither what these bound nor the limits, and say EPERM.
static void limit_if_any(int what, uint64_t want)
{
	const struct rlimit r = { .rlim_cur = want, .rlim_max = want };
	(void)raw(SYS_setrlimit, what, &r);
}

static void set_limits(const struct launch *l, int fd)
{
	const struct request *q = l->request;
	// A backstop, per process; the limit proper is the supervisor's, over the tree. A kernel in user space (gVisor) takes for
	// CPU time what a process waits for the host's, so that there it may be as much as wall time.
	bool by_wall = cgroup_has(CG_CPU) && !cgroup_has(CG_MEMORY_LIMIT);
	limit(fd, RLIMIT_CPU, ((uint64_t)(by_wall ? q->wall_ms : q->cpu_ms) + 999) / 1000 + 1);
	// Just behind the size of the tmpfs, so that a full disk is always ENOSPC. Files in memory (memfd) end here.
	limit(fd, RLIMIT_FSIZE, q->disk_bytes + 4 * KIB);
	limit(fd, RLIMIT_NOFILE, q->open_files);
	limit(fd, RLIMIT_STACK, q->stack_bytes);
	limit(fd, RLIMIT_CORE, 0);
	limit(fd, RLIMIT_MEMLOCK, 64 * KIB);
	limit_if_any(RLIMIT_MSGQUEUE, 64 * KIB);
	limit_if_any(RLIMIT_RTPRIO, 0);
	limit_if_any(RLIMIT_NICE, 0);
	// Behind the cgroup's limit where there is one: only refusals by the cgroup are counted. gVisor counts a process for
	// whoever made it, so that the program itself, which another id made, is none of these.
	if (l->uid)
		limit(fd, RLIMIT_NPROC, (uint64_t)q->processes + (cgroup_has(CG_PIDS_LIMIT) ? 16 : 0) - (root_is_own ? 1 : 0));
	// Between two looks of the supervisor, not instead of them: RLIMIT_DATA counts what is mapped, touched or not.
	if (!cgroup_has(CG_MEMORY_LIMIT))
		limit(fd, RLIMIT_DATA, q->memory_bytes + DATA_RESERVE);
}

// Where the kernel schedules sessions as groups, a session of the program's own costs a fifth of a short run. In the
// supervisor's, the program yields to it by its niceness: whatever it forks, the supervisor gets its turn.
static void own_group(int niceness, int fd)
{
	if (!niceness) {
		must_step(fd, STEP_SESSION, raw(SYS_setsid));
		return;
	}
	must_step(fd, STEP_SESSION, raw(SYS_setpgid, 0, 0));
	must_step(fd, STEP_SESSION, raw(SYS_setpriority, PRIO_PROCESS, 0, niceness));
}

static void become(const struct launch *l, int fd)
{
	gid_t gid = l->uid;
	long groups = raw(SYS_setgroups, 0, NULL);
	// EPERM: a user namespace made without privilege forbids setgroups, and has no groups to drop.
	must_step(fd, STEP_GROUPS, groups == -EPERM ? 0 : groups);
	must_step(fd, STEP_UID, raw(SYS_setresgid, gid, gid, gid));
	must_step(fd, STEP_UID, raw(SYS_setresuid, l->uid, l->uid, l->uid));
	must_step(fd, STEP_CAPS, drop_capabilities());
}

struct report report_of_end(int status, const struct rusage *u)
{
	return (struct report){
		.kind = REPORT_ENDED,
		.status = status,
		.at_ns = now_ns(),
		.cpu_ns = ((uint64_t)u->ru_utime.tv_sec + (uint64_t)u->ru_stime.tv_sec) * NS_PER_S +
			  ((uint64_t)u->ru_utime.tv_usec + (uint64_t)u->ru_stime.tv_usec) * 1000,
		.max_rss = (uint64_t)u->ru_maxrss * KIB,
	};
}

static bool tell(int fd, uint32_t kind, long result, bool warm)
{
	const struct report r = {
		.kind = kind, .error = (int32_t)-result, .status = warm, .at_ns = now_ns(), .cpu_ns = own_cpu_ns()
	};
	return raw(SYS_write, fd, &r, sizeof r) == (long)sizeof r;
}

void program_prepare(const struct launch *l, int fd)
{
	own_group(l->niceness, fd);
	(void)raw(SYS_umask, 022);
	set_limits(l, fd);
	become(l, fd);
	// After the change of uid, which clears it.
	must_step(fd, STEP_DEATH_SIGNAL, raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL));
	must_step(fd, STEP_NO_NEW_PRIVS, raw(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	must_step(fd, STEP_CHDIR, raw(SYS_chdir, "/work"));
	must_step(fd, STEP_SECCOMP, seccomp_load_run());
}

void program_ready(int fd, bool warm)
{
	if (!tell(fd, REPORT_READY, 0, warm))
		raw_exit(1);
}

_Noreturn void program_exec(const struct launch *l, int fd)
{
	long result = raw(SYS_execve, l->request->argv[0], l->request->argv, l->request->envp);
	(void)tell(fd, REPORT_EXEC_FAILED, result, false);
	raw_exit(127);
}
