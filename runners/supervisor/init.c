// The run's init: PID 1 of the run's own namespaces. It builds the root, starts the program as its child,
// reaps orphans, and ends when the program ends, whereupon the kernel kills the rest of the namespace.
// The program is never PID 1 itself: a PID 1 ignores its own SIGKILL and SIGTERM, so outcomes would lie.
// It shares nothing with the supervisor but the status pipe.

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor.h"

char oom_score_own[16] = "0";
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
	[STEP_SESSION] = "setsid",
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

enum { STATUS_FD = 3, FILES_FD = 4 };

static void arrange_descriptors(const struct launch *l)
{
	// Above all targets first, because any of them may have any number above 2.
	int status = fcntl(l->status, F_DUPFD_CLOEXEC, 10), files = fcntl(l->files, F_DUPFD_CLOEXEC, 10);
	if (status < 0 || files < 0 || dup2(l->in, 0) < 0 || dup2(l->out, 1) < 0 || dup2(l->err, 2) < 0 ||
	    dup3(status, STATUS_FD, O_CLOEXEC) < 0 || dup3(files, FILES_FD, O_CLOEXEC) < 0 ||
	    syscall(SYS_close_range, FILES_FD + 1, ~0u, 0) < 0)
		step_failed(l->status, STEP_DESCRIPTORS);
}

static void must(bool done, int step)
{
	if (!done)
		step_failed(STATUS_FD, step);
}

// The root is the jail's, read-only, with the fresh parts mounted over its empty mount points.
static void build_root(int files)
{
	must(staging_attach(files) == 0, STEP_FILES);
	// Read-only, so that a process of the run cannot lower its oom_score_adj below the supervisor's.
	must(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, proc_options) == 0, STEP_PROC);
}

static void write_oom_score(int fd, const char *score)
{
	size_t n = strlen(score);
	must(pwrite(fd, score, n, 0) == (ssize_t)n, STEP_OOM_SCORE);
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

static void report(const struct report *r, int step)
{
	must(write(STATUS_FD, r, sizeof *r) == (ssize_t)sizeof *r, step);
}

// A warm program is no child of init, and is waited for by the supervisor.
static void tell_built(void)
{
	const struct report r = { .kind = REPORT_BUILT };
	report(&r, STEP_FORK);
}

static pid_t start_program(const struct launch *l)
{
	// vfork: the child leaves this memory by exec before init goes on, and page tables are not copied.
	pid_t program = vfork();
	if (program == 0)
		program_main(l, STATUS_FD);
	must(program > 0, STEP_FORK);
	return program;
}

_Noreturn void init_main(const struct launch *l)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		step_failed(l->status, STEP_DEATH_SIGNAL);
	arrange_descriptors(l);
	// In the jail's proc, because the run's is read-only. The program inherits the score at its fork.
	int oom = open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);
	must(oom >= 0, STEP_OOM_SCORE);
	build_root(FILES_FD);
	write_oom_score(oom, "1000");
	pid_t program = 0;
	if (l->warm)
		tell_built();
	else
		program = start_program(l);
	write_oom_score(oom, oom_score_own);
	must(syscall(SYS_close_range, 0, 2, 0) == 0 && close(FILES_FD) == 0 && close(oom) == 0, STEP_DESCRIPTORS);
	must(drop_capabilities() == 0, STEP_INIT_CAPS);
	for (;;) {
		int status;
		struct rusage usage;
		pid_t ended = wait4(-1, &status, 0, &usage);
		if (program && ended == program) {
			const struct report r = report_of_end(status, &usage);
			report(&r, STEP_WAIT);
			_exit(0);
		}
		if (ended < 0 && errno == ECHILD)
			(void)pause();
		else
			must(ended > 0 || errno == EINTR, STEP_WAIT);
	}
}
