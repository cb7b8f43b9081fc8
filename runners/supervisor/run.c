// The execution of one run: its start, cold (init executes the program) or warm (a warm runtime forks it into init's
// namespaces), and its end. The first cause wins.

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervisor.h"

enum { PIPE_DEFAULT = 65536, PIPE_MAX = 1 << 20 };

struct current run = {
	.pidfd = -1,
	.status = -1,
	.input = -1,
	.input_kept = -1,
	.streams = { { .fd = -1 }, { .fd = -1 } },
	.program_pidfd = -1,
	.program_fds = { -1, -1, -1 },
};
static uid_t uid;
static int niceness;
// Init reads it when its maker has long returned.
static struct launch launch;
static cpu_set_t all_cpus;
static int32_t pinned = -1; // core of the supervisor and of the runs it clones

void run_close(int *fd)
{
	if (*fd >= 0 && close(*fd) < 0)
		die(ERROR_SYSCALL, "close");
	*fd = -1;
}

void run_open(uid_t run_uid, int run_niceness)
{
	uid = run_uid;
	niceness = run_niceness;
	if (sched_getaffinity(0, sizeof all_cpus, &all_cpus) < 0)
		die(ERROR_SYSCALL, "sched_getaffinity");
	limits_open();
}

uint32_t run_current_id(void)
{
	return run.slot ? run.slot->id : 0;
}

/* Starting */

struct pipes {
	int in[2], out[2], err[2], status[2];
};

static void make_pipe(int ends[2], bool for_program)
{
	if (pipe2(ends, O_CLOEXEC) < 0)
		die(ERROR_SYSCALL, "pipe2");
	// The owner of the pipe's inode may reopen it as /dev/stdin, /dev/stdout or /proc/self/fd/N.
	if (for_program && uid && fchown(ends[0], uid, uid) < 0)
		die(ERROR_SYSCALL, "owner of a pipe");
}

static void not_blocking(int fd)
{
	if (fcntl(fd, F_SETFL, O_NONBLOCK | (fcntl(fd, F_GETFL) & O_ACCMODE)) < 0)
		die(ERROR_SYSCALL, "O_NONBLOCK");
}

static void prepare_input(struct pipes *p)
{
	make_pipe(p->in, true);
	uint64_t size = run.slot->request.stdin_bytes;
	// Failure leaves the default size, which is only slower.
	if (size > PIPE_DEFAULT)
		(void)fcntl(p->in[1], F_SETPIPE_SZ, size < PIPE_MAX ? (int)size : PIPE_MAX);
	run.input = p->in[1];
	// Our own read end, opened apart from the program's: it tells at the end what was left unread, and keeps a
	// write after the program closed its input from failing.
	run.input_kept = p->in[0];
	not_blocking(run.input);
	run.fed = run.told = 0;
	capture_feed();
}

// The supervisor goes to the run's core itself and its clones inherit that: taking a process apart and making one
// on another core costs interrupts between the cores, some 0.13 ms a run on a virtual machine.
static void pin(int32_t cpu)
{
	if (cpu == pinned)
		return;
	cpu_set_t set = all_cpus;
	if (cpu >= 0) {
		CPU_ZERO(&set);
		CPU_SET((size_t)cpu, &set);
	}
	if (sched_setaffinity(0, sizeof set, &set) < 0)
		die(ERROR_SYSCALL, "pinning to core %d", cpu);
	pinned = cpu;
}

static void close_program_fds(void)
{
	for (int i = 0; i < 3; i++)
		run_close(&run.program_fds[i]);
}

// Init has built the place; now the program.
static void ask_for_program(void)
{
	const int fds[] = { run.input_kept, run.program_fds[0], run.program_fds[1], run.program_fds[2] };
	warm_request(run.runtime, run.slot, &launch, run.pidfd, fds);
	run.asked = true;
	close_program_fds();
}

// To the program alone, as a shell's kill would; whom it has made it may tell itself.
void run_signal(void)
{
	if (!run.slot->signal || run.phase != RUNNING || run.ended || run.killed || (run.warm && !run.program))
		return;
	pid_t program = run.warm ? run.program : oldest_child(run.init);
	if (program > 0 && kill(program, (int)run.slot->signal) < 0 && errno != ESRCH)
		die(ERROR_SYSCALL, "signal for the program");
	run.slot->signal = 0;
}

static void take_program(enum warm_kind runtime)
{
	pid_t pid = warm_answer(runtime, &run.kept);
	run.asked = false;
	// A run that was killed meanwhile has no place for a program any more.
	if (pid < 0 && !run.killed) {
		errno = -pid;
		die(ERROR_SYSCALL, "fork by the warm runtime");
	}
	if (pid < 0)
		return;
	run.program = pid;
	run.program_pidfd = run.kept ? -1 : (int)syscall(SYS_pidfd_open, pid, 0);
	if (!run.kept && run.program_pidfd < 0)
		die(ERROR_SYSCALL, "pidfd_open");
	run_signal();
}

static void start(struct slot *s)
{
	struct pipes p;
	run.slot = s;
	pin(s->request.cpu);
	run.limited = run.ended = run.exec_failed = run.killed = run.asked = run.kept = run.forked = false;
	run.runtime = (s->request.flags & RUN_LIGHT) && warm_running(WARM_LIGHT) ? WARM_LIGHT : WARM_FULL;
	run.warm = (s->request.flags & RUN_WARM) && warm_running(run.runtime) && s->raw_length;
	run.starved = run.deferred = run.kept_waiting = false;
	run.waited_ns = run.next_wait = 0;
	waits_begin();
	run.niceness = niceness;
	run.stall_start = run.stalled_ns = run.starved_ns = run.exec_ns = run.end_ns = run.polled_memory = run.polled_cpu = 0;
	run.cpu_ns = run.exec_cpu_ns = 0;
	leftovers_await(staging_bytes() + window_bytes());
	int error = staging_make(&s->request, s->stage);
	if (error) {
		run.slot = NULL;
		if (!staging_drop())
			die(ERROR_ASSERTION, "a file system that no run has used is in use");
		window_answer_unstarted(s, CAUSE_NOT_STARTED, error);
		return;
	}
	prepare_input(&p);
	make_pipe(p.out, true);
	make_pipe(p.err, true);
	make_pipe(p.status, false);
	cgroup_begin(&s->request);
	launch = (struct launch){
		.request = &s->request,
		.in = p.in[0],
		.out = p.out[1],
		.err = p.err[1],
		.status = p.status[1],
		.files = staging_files(),
		.warm = run.warm,
		.uid = uid,
		.niceness = niceness,
	};
	long init = init_spawn(&launch, &run.pidfd, cgroup_group_fd());
	if (init < 0) {
		errno = (int)-init;
		die(ERROR_SYSCALL, "clone of the run's init");
	}
	run.init = (pid_t)init;
	run.program_fds[0] = p.out[1];
	run.program_fds[1] = p.err[1];
	run.program_fds[2] = p.status[1];
	if (!run.warm)
		close_program_fds();
	not_blocking(p.out[0]);
	not_blocking(p.err[0]);
	not_blocking(p.status[0]);
	run.streams[0] = (struct stream){ .fd = p.out[0], .flag = OUTPUT_STDOUT };
	run.streams[1] = (struct stream){ .fd = p.err[0], .flag = OUTPUT_STDERR };
	run.status = p.status[0];
	run.phase = STARTING;
	run.exec_ns = now_ns();
	run.next_cpu = run.next_tick = run.exec_ns + cgroup_tick_ns();
}

void run_start_next(void)
{
	// A run that cannot be started is answered at once, so look again.
	for (struct slot *s; run.phase == IDLE && (s = window_next());)
		start(s);
}

/* Ending */

void run_end_by(enum cause cause)
{
	// Once the program has ended by itself only what it did before counts, and that is judged at the end.
	if (!run.limited && !run.ended && !run.exec_failed) {
		run.limited = true;
		run.cause = cause;
	}
	if (!run.killed && run.init > 0 && kill(run.init, SIGKILL) < 0)
		die(ERROR_SYSCALL, "killing the run");
	run.killed = true;
}

void run_cancel(void)
{
	if (run.phase != IDLE)
		run_end_by(CAUSE_CANCELLED);
}

static void note_end(const struct report *r)
{
	run.ended = true;
	run.end = *r;
	run.end_ns = r->at_ns;
	// Now, so that the taking down of the namespaces is not charged to the program.
	run.cpu_ns = cgroup_cpu_ns();
}

// A program that a warm runtime has made, and that was waited for. Init does not know it.
static void program_ended(const struct report *r)
{
	run.program = 0;
	// What was killed before it began has not ended by itself.
	bool begun = run.phase == RUNNING;
	if (!run.killed || (begun && !(WIFSIGNALED(r->status) && WTERMSIG(r->status) == SIGKILL)))
		note_end(r);
	if (run.init > 0 && kill(run.init, SIGKILL) < 0)
		die(ERROR_SYSCALL, "ending init");
}

static void handle_report(const struct report *r)
{
	switch (r->kind) {
	case REPORT_READY:
		run.phase = RUNNING;
		run.exec_ns = r->at_ns;
		run.exec_cpu_ns = r->cpu_ns;
		run.forked = r->status;
		cgroup_exec();
		run.next_cpu = 0;
		run_signal();
		return;
	case REPORT_BUILT:
		ask_for_program();
		return;
	case REPORT_EXEC_FAILED:
		run.exec_failed = true;
		run.exec_errno = r->error;
		return;
	case REPORT_ENDED:
		if (run.warm)
			program_ended(r);
		else
			note_end(r);
		return;
	case REPORT_STEP_FAILED:
		// A program that was on its way into a place that is gone.
		if (run.killed)
			return;
		errno = r->error;
		die(ERROR_SYSCALL, "%s", step_name(r->step));
	default:
		die(ERROR_ASSERTION, "report of unknown kind");
	}
}

static void read_status(void)
{
	struct report r[4];
	ssize_t n = read(run.status, r, sizeof r);
	if (n < 0 && errno == EAGAIN)
		return;
	if (n < 0 || (size_t)n % sizeof r[0])
		die(ERROR_SYSCALL, "reading the status pipe");
	if (n == 0)
		run_close(&run.status);
	for (size_t i = 0; i < (size_t)n / sizeof r[0]; i++)
		handle_report(&r[i]);
}

// A warm program is the supervisor's own child. The kernel lets init end only after it has been waited for.
static void reap_program(void)
{
	int status;
	struct rusage usage;
	if (wait4(run.program, &status, 0, &usage) != run.program)
		die(ERROR_SYSCALL, "waiting for the program");
	run_close(&run.program_pidfd);
	const struct report r = report_of_end(status, &usage);
	program_ended(&r);
}

static void reap(void)
{
	int status;
	close_program_fds();
	while (run.asked)
		take_program(run.runtime);
	if (wait4(run.init, &status, 0, NULL) != run.init)
		die(ERROR_SYSCALL, "waiting for init");
	run_close(&run.pidfd);
	run.init = 0;
	while (run.status >= 0) {
		// A runtime that keeps the program has the pipe for a moment longer.
		struct pollfd p = { .fd = run.status, .events = POLLIN };
		if (run.kept && poll(&p, 1, -1) < 0 && errno != EINTR)
			die(ERROR_SYSCALL, "poll");
		read_status();
	}
	run.phase = ENDED;
	if (!run.ended) {
		run.end_ns = now_ns();
		run.cpu_ns = cgroup_cpu_ns();
	}
}

static void finish(void)
{
	capture_stalled(false);
	result_send();
	run_close(&run.input);
	run_close(&run.input_kept);
	// The service judges this run while its remains are taken away here.
	channel_flush();
	if (!staging_drop())
		die(ERROR_ASSERTION, "the run's file system is still in use");
	window_answered(run.slot);
	run.slot = NULL;
	run.phase = IDLE;
}

/* The part of the main loop that belongs to the run */

nfds_t run_poll_fds(struct pollfd *fds)
{
	size_t room;
	bool full = channel_room(&room) == NULL;
	// A live run's wall time goes on whoever it waits for.
	capture_stalled(full && run.phase == RUNNING && !run.killed && !window_live(run.slot));
	nfds_t n = 0;
	for (int i = 0; i < 2; i++) {
		// Beyond its cap a stream is discarded, which needs no room.
		bool wants_room = run.slot && run.streams[i].seen < run.slot->request.output_bytes;
		fds[n++] = (struct pollfd){ .fd = full && wants_room ? -1 : run.streams[i].fd, .events = POLLIN };
	}
	fds[n++] = (struct pollfd){ .fd = run.phase != ENDED && capture_hungry() ? run.input : -1, .events = POLLOUT };
	fds[n++] = (struct pollfd){ .fd = run.status, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = run.pidfd, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = run.program_pidfd, .events = POLLIN };
	for (int i = 0; i < WARM_KINDS; i++)
		fds[n++] = (struct pollfd){ .fd = warm_fd((enum warm_kind)i), .events = POLLIN };
	return n;
}

void run_poll_done(const struct pollfd *fds, nfds_t count)
{
	if (count != RUN_FDS)
		return;
	// Unasked, a warm runtime only speaks of its end.
	for (int i = 0; i < WARM_KINDS; i++)
		if (fds[6 + i].revents)
			take_program((enum warm_kind)i);
	if (run.phase == IDLE)
		return;
	if (fds[3].revents)
		read_status();
	if (fds[5].revents)
		reap_program();
	if (fds[4].revents || (run.pidfd < 0 && run.status < 0 && run.phase != ENDED))
		reap();
	for (int i = 0; i < 2; i++)
		if (fds[i].revents)
			(void)capture_read(&run.streams[i]);
	if (fds[2].revents && run.phase != ENDED)
		capture_feed();
	// All holders of the pipes are dead, so both are certain to end.
	while (run.phase == ENDED && (run.streams[0].fd >= 0 || run.streams[1].fd >= 0)) {
		bool room = true;
		for (int i = 0; i < 2 && room; i++)
			if (run.streams[i].fd >= 0)
				room = capture_read(&run.streams[i]);
		if (!room)
			return;
	}
	if (run.phase == ENDED)
		finish();
}
