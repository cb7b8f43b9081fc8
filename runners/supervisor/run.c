// The execution of one run: the clone, feeding and capture, the limits that the supervisor enforces itself, and the
// end. The first cause wins.

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

enum { PIPE_DEFAULT = 65536, PIPE_MAX = 1 << 20, FORK_BOMB_HITS = 256 };
#define CPU_CHECK_MIN_NS NS_PER_MS
#define START_LIMIT_NS (10 * NS_PER_S)

struct current run = { .pidfd = -1, .status = -1, .input = -1, .input_kept = -1, .streams = { { .fd = -1 }, { .fd = -1 } } };
static uid_t uid;
static long cpus;
static cpu_set_t all_cpus;
static int32_t pinned = -1; // core of the supervisor and of the runs it clones

static void close_fd(int *fd)
{
	if (*fd >= 0 && close(*fd) < 0)
		die(ERROR_SYSCALL, "close");
	*fd = -1;
}

void run_open(uid_t run_uid)
{
	uid = run_uid;
	cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (sched_getaffinity(0, sizeof all_cpus, &all_cpus) < 0)
		die(ERROR_SYSCALL, "sched_getaffinity");
	if (cpus < 1)
		cpus = 1;
}

uint32_t run_current_id(void)
{
	return run.slot ? run.slot->id : 0;
}

static void end_by(enum cause cause);

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

static void feed(void)
{
	static uint8_t chunk[PIPE_DEFAULT];
	struct slot *s = run.slot;
	while (run.input >= 0 && run.fed < s->received) {
		ssize_t have = pread(s->input, chunk, sizeof chunk, (off_t)run.fed);
		if (have <= 0)
			die(ERROR_SYSCALL, "reading kept stdin");
		ssize_t n = write(run.input, chunk, (size_t)have);
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			die(ERROR_SYSCALL, "feeding stdin");
		run.fed += (uint64_t)n;
		if (n < have)
			return;
	}
	close_fd(&run.input);
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
	run.fed = 0;
	feed();
}

static pid_t clone_init(int *pidfd)
{
	const unsigned long spaces = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS;
	struct clone_args a = {
		.flags = spaces | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)pidfd,
		.exit_signal = SIGCHLD,
	};
	if (cgroup_group_fd() >= 0) {
		a.flags |= CLONE_INTO_CGROUP;
		a.cgroup = (__u64)cgroup_group_fd();
	}
	*pidfd = -1;
	long pid = syscall(SYS_clone3, &a, sizeof a);
	// gVisor has no clone3 and no pidfd; there the end of the status pipe tells that init has ended.
	if (pid < 0 && (errno == ENOSYS || errno == EINVAL) && cgroup_group_fd() < 0)
		pid = syscall(SYS_clone, spaces | SIGCHLD, 0, 0, 0, 0);
	return (pid_t)pid;
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

static void start(struct slot *s)
{
	struct pipes p;
	run.slot = s;
	pin(s->request.cpu);
	run.limited = run.ended = run.exec_failed = run.killed = false;
	run.stall_start = run.stalled_ns = run.exec_ns = run.end_ns = run.polled_memory = run.polled_cpu = 0;
	run.cpu_ns = run.exec_cpu_ns = 0;
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
	const struct launch l = {
		.request = &s->request, .in = p.in[0], .out = p.out[1], .err = p.err[1], .status = p.status[1], .files = staging_files(), .uid = uid
	};
	run.init = clone_init(&run.pidfd);
	if (run.init == 0)
		init_main(&l);
	if (run.init < 0)
		die(ERROR_SYSCALL, "clone3");
	close(p.out[1]);
	close(p.err[1]);
	close(p.status[1]);
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

static void end_by(enum cause cause)
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
		end_by(CAUSE_CANCELLED);
}

static void handle_report(const struct report *r)
{
	switch (r->kind) {
	case REPORT_READY:
		run.phase = RUNNING;
		run.exec_ns = r->at_ns;
		run.exec_cpu_ns = r->cpu_ns;
		cgroup_exec();
		run.next_cpu = 0;
		return;
	case REPORT_EXEC_FAILED:
		run.exec_failed = true;
		run.exec_errno = r->error;
		return;
	case REPORT_ENDED:
		run.ended = true;
		run.end = *r;
		run.end_ns = r->at_ns;
		// Now, so that the taking down of the namespaces is not charged to the program.
		run.cpu_ns = cgroup_cpu_ns();
		return;
	case REPORT_STEP_FAILED:
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
		close_fd(&run.status);
	for (size_t i = 0; i < (size_t)n / sizeof r[0]; i++)
		handle_report(&r[i]);
}

static void reap(void)
{
	int status;
	if (wait4(run.init, &status, 0, NULL) != run.init)
		die(ERROR_SYSCALL, "waiting for init");
	close_fd(&run.pidfd);
	while (run.status >= 0)
		read_status();
	run.init = 0;
	run.phase = ENDED;
	if (!run.ended) {
		run.end_ns = now_ns();
		run.cpu_ns = cgroup_cpu_ns();
	}
}

/* Capture */

// Takes what the stream has. Returns false if the channel has no room.
static bool capture(struct stream *s)
{
	static uint8_t discarded[MAX_CHUNK];
	uint64_t cap = run.slot->request.output_bytes;
	size_t room = sizeof discarded;
	uint8_t *to = s->seen < cap ? channel_room(&room) : discarded;
	if (!to)
		return false;
	ssize_t n = read(s->fd, to, room);
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n < 0)
		die(ERROR_SYSCALL, "reading output");
	if (n == 0) {
		close_fd(&s->fd);
		return true;
	}
	uint64_t keep = s->seen < cap ? cap - s->seen : 0;
	if (keep > (uint64_t)n)
		keep = (uint64_t)n;
	if (keep)
		channel_commit(FRAME_OUTPUT, s->flag, run.slot->id, (size_t)keep);
	s->seen += (uint64_t)n;
	if (s->seen > cap) {
		s->truncated = true;
		end_by(CAUSE_OUTPUT);
	}
	return true;
}

static void stall(bool stalled)
{
	if (stalled && !run.stall_start)
		run.stall_start = now_ns();
	if (!stalled && run.stall_start) {
		run.stalled_ns += now_ns() - run.stall_start;
		run.stall_start = 0;
	}
}

/* Limits */

static uint64_t stalled_until(uint64_t now)
{
	return run.stalled_ns + (run.stall_start ? now - run.stall_start : 0);
}

static void slow_tick(void)
{
	if (cgroup_oom_kills())
		end_by(CAUSE_MEMORY);
	if (cgroup_process_hits() >= FORK_BOMB_HITS)
		end_by(CAUSE_PROCESSES);
	if (cgroup_has(CG_CPU) && cgroup_has(CG_MEMORY_LIMIT)) {
		uint64_t usage = cgroup_peak_known() ? 0 : cgroup_memory_usage();
		if (usage > run.polled_memory)
			run.polled_memory = usage;
		return;
	}
	struct tree t = measure_tree();
	if (t.memory_bytes > run.polled_memory)
		run.polled_memory = t.memory_bytes;
	// What has ended may be missing from a later sum.
	if (t.cpu_ns > run.polled_cpu)
		run.polled_cpu = t.cpu_ns;
	if (!cgroup_has(CG_MEMORY_LIMIT) && t.memory_bytes > run.slot->request.memory_bytes)
		end_by(CAUSE_MEMORY);
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
		end_by(CAUSE_CPU);
		return;
	}
	// The soonest that the rest can be used up: on one core if pinned, else on all.
	uint64_t rest = (limit - used) / (run.slot->request.cpu >= 0 ? 1 : (uint64_t)cpus);
	run.next_cpu = now + (rest > CPU_CHECK_MIN_NS ? rest : CPU_CHECK_MIN_NS);
}

uint64_t run_enforce(void)
{
	if (run.phase == IDLE)
		return NEVER;
	// Killed: only the end of init, and of the pipes, is awaited.
	if (run.killed || run.phase == ENDED)
		return NEVER;
	uint64_t now = now_ns();
	uint64_t deadline = run.exec_ns + run.slot->request.wall_ms * NS_PER_MS + stalled_until(now);
	if (run.phase == STARTING) {
		// The program has not begun: whatever takes so long is ours.
		deadline = run.exec_ns + START_LIMIT_NS;
		if (now >= deadline)
			die(ERROR_ASSERTION, "the run did not come to its exec in time");
	} else if (now >= deadline)
		end_by(CAUSE_WALL);
	if (now >= run.next_tick) {
		slow_tick();
		run.next_tick = now + cgroup_tick_ns();
	}
	if (run.phase == RUNNING && now >= run.next_cpu)
		check_cpu(now);
	uint64_t next = run.next_tick < deadline ? run.next_tick : deadline;
	return run.next_cpu < next && run.phase == RUNNING ? run.next_cpu : next;
}

static void finish(void)
{
	stall(false);
	result_send();
	close_fd(&run.input);
	close_fd(&run.input_kept);
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
	stall(full && run.phase == RUNNING && !run.killed);
	nfds_t n = 0;
	for (int i = 0; i < 2; i++) {
		// Beyond its cap a stream is discarded, which needs no room.
		bool wants_room = run.slot && run.streams[i].seen < run.slot->request.output_bytes;
		fds[n++] = (struct pollfd){ .fd = full && wants_room ? -1 : run.streams[i].fd, .events = POLLIN };
	}
	fds[n++] = (struct pollfd){ .fd = run.phase == ENDED ? -1 : run.input, .events = POLLOUT };
	fds[n++] = (struct pollfd){ .fd = run.status, .events = POLLIN };
	fds[n++] = (struct pollfd){ .fd = run.pidfd, .events = POLLIN };
	return n;
}

void run_poll_done(const struct pollfd *fds, nfds_t count)
{
	if (run.phase == IDLE || count != RUN_FDS)
		return;
	if (fds[3].revents)
		read_status();
	if (fds[4].revents || (run.pidfd < 0 && run.status < 0 && run.phase != ENDED))
		reap();
	for (int i = 0; i < 2; i++)
		if (fds[i].revents)
			(void)capture(&run.streams[i]);
	if (fds[2].revents && run.phase != ENDED)
		feed();
	// All holders of the pipes are dead, so both are certain to end.
	while (run.phase == ENDED && (run.streams[0].fd >= 0 || run.streams[1].fd >= 0)) {
		bool room = true;
		for (int i = 0; i < 2 && room; i++)
			if (run.streams[i].fd >= 0)
				room = capture(&run.streams[i]);
		if (!room)
			return;
	}
	if (run.phase == ENDED)
		finish();
}
