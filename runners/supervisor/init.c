// The run's init: PID 1 of the run's own namespaces. It builds the root, starts the program as its child,
// reaps orphans, and ends when the program ends, whereupon the kernel kills the rest of the namespace.
// The program is never PID 1 itself: a PID 1 ignores its own SIGKILL and SIGTERM, so outcomes would lie.
// It executes in the supervisor's memory (raw.h), on a stack of its own, and writes to nothing else; what it has to tell
// goes through the status pipe.

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "raw.h"
#include "supervisor.h"

enum { STACK_BYTES = 64 << 10 };
// One run at a time, so one of each. The program's is used up to its exec.
static _Alignas(16) char init_stack[STACK_BYTES], program_stack[STACK_BYTES];

// Load, uptime, locks and interrupts are channels between runs; subset=pid leaves only the processes.
const char *proc_options = "hidepid=2,subset=pid";

static const char *const step_names[STEPS] = {
	[STEP_DESCRIPTORS] = "descriptors of the run",
	[STEP_DEATH_SIGNAL] = "parent death signal",
	[STEP_OOM_SCORE] = "oom_score_adj",
	[STEP_HOSTNAME] = "hostname",
	[STEP_FILES] = "mounts of the run's files",
	[STEP_PROC] = "mount of proc",
	[STEP_FORK] = "fork of the program",
	[STEP_INIT_CAPS] = "capabilities of init",
	[STEP_WAIT] = "waiting for the program",
	[STEP_SESSION] = "session or niceness",
	[STEP_RLIMIT] = "resource limits",
	[STEP_SIGNALS] = "signals",
	[STEP_GROUPS] = "setgroups",
	[STEP_UID] = "setresuid",
	[STEP_CAPS] = "capabilities of the program",
	[STEP_NO_NEW_PRIVS] = "no_new_privs",
	[STEP_CHDIR] = "chdir to the work folder",
	[STEP_SECCOMP] = "seccomp filter",
	[STEP_NAMESPACES] = "entering the run's namespaces",
	[STEP_DUMPABLE] = "becoming dumpable",
	[STEP_THREAD] = "thread of the interpreter",
};

const char *step_name(int step)
{
	return step > 0 && step < STEPS && step_names[step] ? step_names[step] : "unknown step";
}

enum { STATUS_FD = 3, FILES_FD = 4, PROC_FD = 5 };

static void must(long result, int step)
{
	must_step(STATUS_FD, step, result);
}

static void arrange_descriptors(const struct launch *l)
{
	// Above all targets first, because any of them may have any number above 2.
	long status = raw(SYS_fcntl, l->status, F_DUPFD_CLOEXEC, 10);
	must_step(l->status, STEP_DESCRIPTORS, status);
	long files = raw(SYS_fcntl, l->files, F_DUPFD_CLOEXEC, 10);
	must_step(l->status, STEP_DESCRIPTORS, files);
	const struct {
		long from;
		int to, flags;
	} moves[] = {
		{ l->in, 0, 0 },
		{ l->out, 1, 0 },
		{ l->err, 2, 0 },
		{ status, STATUS_FD, O_CLOEXEC },
		{ files, FILES_FD, O_CLOEXEC },
	};
	for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
		must_step((int)status, STEP_DESCRIPTORS, raw(SYS_dup3, moves[i].from, moves[i].to, moves[i].flags));
	must(raw(SYS_close_range, FILES_FD + 1, ~0u, 0), STEP_DESCRIPTORS);
}

// The root is the jail's, read-only, with the fresh parts mounted over its empty mount points.
static void build_root(int files)
{
	must(staging_attach(files), STEP_FILES);
	// Read-only, so that a process of the run cannot lower its oom_score_adj below the supervisor's.
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
	must(raw(SYS_mount, "proc", "/proc", "proc", flags, proc_options), STEP_PROC);
	// gVisor has no subset, and tells there of all its processors, where a run has one.
	if (root_is_own)
		must(raw(SYS_mount, "/assay/stat", "/proc/stat", 0, MS_BIND, 0), STEP_PROC);
}

// Of the program's process alone, because it is a vfork child: of others that share memory the kernel changes them all.
static void offer_to_oom_killer(void)
{
	static const char first[] = "1000";
	long fd = raw(SYS_openat, PROC_FD, "self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	must(fd, STEP_OOM_SCORE);
	must(raw(SYS_write, fd, first, sizeof first - 1), STEP_OOM_SCORE);
}

static void report(const struct report *r, int step)
{
	must(raw(SYS_write, STATUS_FD, r, sizeof *r), step);
}

// A warm program is no child of init, and is waited for by the supervisor.
static void tell_built(void)
{
	const struct report r = { .kind = REPORT_BUILT };
	report(&r, STEP_FORK);
}

static void program_main(const void *launch)
{
	offer_to_oom_killer();
	program_prepare(launch, STATUS_FD);
	program_ready(STATUS_FD, false);
	program_exec(launch, STATUS_FD);
}

static long start_program(const struct launch *l)
{
	// The child leaves this memory by exec before init goes on.
	const unsigned long flags = CLONE_VM | CLONE_VFORK | SIGCHLD;
	long program = raw_spawn(SYS_clone, (const long[5]){ (long)flags, RAW_ARG(program_stack + STACK_BYTES) }, program_main, l);
	must(program, STEP_FORK);
	return program;
}

static void init_main(const void *launch)
{
	const struct launch *l = launch;
	must_step(l->status, STEP_DEATH_SIGNAL, raw(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL));
	arrange_descriptors(l);
	// The jail's proc, because the run's is read-only.
	must(raw(SYS_openat, AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC), STEP_DESCRIPTORS);
	build_root(FILES_FD);
	long program = 0;
	if (l->warm)
		tell_built();
	else
		program = start_program(l);
	must(raw(SYS_close_range, 0, 2, 0), STEP_DESCRIPTORS);
	must(raw(SYS_close_range, FILES_FD, PROC_FD, 0), STEP_DESCRIPTORS);
	must(drop_capabilities(), STEP_INIT_CAPS);
	for (;;) {
		int status;
		struct rusage usage;
		long ended = raw(SYS_wait4, -1, &status, 0, &usage);
		if (program && ended == program) {
			const struct report r = report_of_end(status, &usage);
			report(&r, STEP_WAIT);
			raw_exit(0);
		}
		if (ended == -ECHILD)
			(void)raw(SYS_ppoll, NULL, 0, NULL, NULL, 0);
		else if (ended != -EINTR)
			must(ended, STEP_WAIT);
	}
}

long init_spawn(const struct launch *l, int *pidfd, int group)
{
	// gVisor has no cgroup namespaces, nor groups that could be seen through one; and its loopback is up, so that each run
	// gets one of its own.
	static bool without_group_space;
	struct clone_args a = {
		.flags = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_VM | CLONE_PIDFD |
			 (without_group_space ? 0 : CLONE_NEWCGROUP) | (root_is_own ? CLONE_NEWNET : 0),
		.pidfd = (uint64_t)(uintptr_t)pidfd,
		.exit_signal = SIGCHLD,
		.stack = (uint64_t)(uintptr_t)init_stack,
		.stack_size = STACK_BYTES,
	};
	if (group >= 0) {
		a.flags |= CLONE_INTO_CGROUP;
		a.cgroup = (__u64)group;
	}
	*pidfd = -1;
	long pid = raw_spawn(SYS_clone3, (const long[5]){ RAW_ARG(&a), (long)sizeof a }, init_main, l);
	if (pid != -EINVAL || !root_is_own || without_group_space)
		return pid;
	without_group_space = true;
	return init_spawn(l, pidfd, group);
}
