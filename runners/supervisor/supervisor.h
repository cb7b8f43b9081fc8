// The supervisor's only header, one section per file. Arrows of knowledge: main → {window → request, run → {result, staging, cgroup,
// init → program → seccomp}} → channel; request is pure.
#ifndef ASSAY_SUPERVISOR_H
#define ASSAY_SUPERVISOR_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "../common/frame.h"
#include "../common/report.h"
#include "../common/warm.h"

#define KIB ((uint64_t)1024)
#define MIB (1024 * KIB)
#define NS_PER_S ((uint64_t)1000000000)
#define NS_PER_MS ((uint64_t)1000000)
#define NEVER UINT64_MAX

/* request.c: what a RUN frame says. Pure. */

/// One parsed RUN frame. Strings are NUL-terminated and live in the arena given to request_parse.
struct request {
	uint32_t flags, cpu_ms, wall_ms, processes, inodes, open_files;
	uint64_t memory_bytes, output_bytes, disk_bytes, stack_bytes, collect_bytes, stdin_bytes;
	int32_t cpu;
	uint16_t argc, envc, collectc;
	char *argv[MAX_ARGC + 1];
	char *envp[MAX_ENVC + 1];
	char *collect[MAX_COLLECT];
	char arena[MAX_PAYLOAD];
};

/// Returns NULL, or what is wrong with the payload.
const char *request_parse(const uint8_t *payload, size_t length, struct request *out);

/* channel.c: the stream to the service */

/// Moves fd 0 away to a high descriptor and puts /dev/null in its place.
void channel_open(void);
int channel_fd(void);
/// Reads what is there and calls `handle` for each whole frame. Exits when the service has left.
void channel_read(void (*handle)(const struct frame *f));
/// Queues a frame; waits for the service when the buffer is full.
void channel_send(uint8_t type, uint8_t flags, uint32_t id, const void *payload, size_t length);
/// Room for output of a program, at most MAX_CHUNK; NULL when the buffer is full. channel_commit makes a
/// frame of the bytes put there.
uint8_t *channel_room(size_t *length);
void channel_commit(uint8_t type, uint8_t flags, uint32_t id, size_t length);
bool channel_pending(void);
/// Whether something is to be sent now: anything but a little output.
bool channel_due(void);
/// Makes what is queued due.
void channel_urge(void);
/// Sends what the socket takes now.
void channel_flush(void);
/// Sends everything, waiting for the service.
void channel_flush_all(void);
/// For die(): sends what is queued and then one ERROR frame, waiting at most a second in all.
void channel_last_words(uint32_t id, uint32_t code, const char *text, size_t length);

/* clock.c */
uint64_t now_ns(void);
uint64_t own_cpu_ns(void);

/* count.c: what /proc says about the jail */

struct counts {
	uint32_t fds, mounts, processes;
};
struct counts count_jail(void);
/// The oldest child of a process, 0 if it has none.
pid_t oldest_child(pid_t parent);
/// Live processes below the supervisor, their memory and CPU, from /proc. Only for hosts without cgroups.
struct tree {
	uint32_t processes;
	uint64_t memory_bytes, cpu_ns;
};
struct tree measure_tree(void);
/// Calls `each` (if any) for every entry of a folder whose name is a number; returns how many there are, −1 if there is no
/// such folder (any more).
int64_t entries_if_there(const char *path, void (*each)(int dir, const char *name));
struct memory_held {
	uint64_t files; // of the root, mapped by the process that has most of them mapped
	uint64_t own;   // private to the run's processes, or shared among them
};
/// What the run's processes hold now, bytes. Takes milliseconds.
struct memory_held memory_held(void);
/// Reads a file `/…` of a process or thread as a string of less than `size` bytes; false if it is gone.
bool read_small(int dir, const char *pid, const char *file, char *out, size_t size);
/// Where a field (from 3) of the text of /proc/PID/stat begins; NULL where it is none.
char *stat_field(const char *stat, int field);
/// The unit of times in /proc/PID/stat.
uint64_t tick_ns(void);

/* waits.c: how long runs waited for a core */

/// Forgets the threads of the run before.
void waits_begin(void);
struct waits {
	/// The longest time that one thread has waited for a core that strangers had: what is certain from the looks so far, a
	/// wait that goes on included; 0 where the kernel does not tell.
	uint64_t longest_ns;
	bool wanted; // a thread is on a core or waits for one
	bool goes_on; // a thread has waited since the look before without a pause, and strangers had the core
};
/// Looks at the threads of the run, which has used so much CPU time in all. Those that are nicer than `niceness` do not
/// count.
struct waits waits_look(uint64_t now, uint64_t used_ns, int niceness);

/* cgroup.c: limits and figures of the run, one table row per back end */

enum cgroup_file {
	CG_CPU,
	CG_MEMORY_LIMIT,
	CG_MEMORY_PEAK,
	CG_MEMORY_USAGE,
	CG_MEMORY_STAT,
	CG_MEMORY_EVENTS,
	CG_MEMORY_HITS,
	CG_PIDS_LIMIT,
	CG_PIDS_EVENTS,
	CG_RUN_GROUP,
	CG_FILES,
};
/// Selects the back end by its argument ("none", "v1", "v2"); false if there is no such.
bool cgroup_select(const char *name);
void cgroup_set_fd(enum cgroup_file file, int fd);
void cgroup_open(void);
uint16_t cgroup_number(void);
uint32_t cgroup_features(void);
int cgroup_group_fd(void);
bool cgroup_has(enum cgroup_file file);
/// Whether the supervisor's memory and CPU are in the runs' group.
bool cgroup_shared(void);
/// Whether the group holds a wall's own processes, which stand for those of runs (gVisor): it limits no run, and its
/// figures include their own work and memory.
bool cgroup_opaque(void);
/// Sets the limits and takes the baselines of memory, OOM kills and refused forks.
void cgroup_begin(const struct request *q);
/// Takes the baseline of CPU: the program is about to be executed.
void cgroup_exec(void);
/// Tells that the supervisor itself is about to take memory while a run executes in the same group.
void cgroup_own_memory(uint64_t bytes);
/// Lifts the limits again, so that the supervisor is not bound by a past run's.
void cgroup_end(void);
/// CPU of the run since cgroup_exec; 0 if the back end cannot tell.
uint64_t cgroup_cpu_ns(void);
uint64_t cgroup_memory_peak(void);
/// Of an opaque group: what it holds more than at the start of the run, without what the kernel can take back.
uint64_t cgroup_memory_grown(void);
/// What a run may be seen to exceed its limit by where no group enforces it.
uint64_t cgroup_memory_slack(void);
/// Whether the peak is that of one run.
bool cgroup_peak_known(void);
uint64_t cgroup_memory_usage(void);
/// How much of the usage is clean pages of files, which the kernel takes back when the limit is met.
uint64_t cgroup_reclaimable(uint64_t usage);
uint32_t cgroup_oom_kills(void);
uint32_t cgroup_limit_hits(void);
uint32_t cgroup_process_hits(void);
/// How long the program may run unobserved.
uint64_t cgroup_tick_ns(void);

/* leftovers.c: what outlives a run for a moment */

/// Takes the clean jail as the measure. Called once, when all that stays is there.
void leftovers_open(void);
/// Waits until nothing of a past run is left but `held` bytes of the supervisor's own in the group.
void leftovers_await(uint64_t held);
/// Waits likewise; false if something stayed, now or before.
bool leftovers_gone(void);
/// Memory in the group that stayed and counts for no run.
uint64_t leftovers_memory(void);

/* staging.c: the files of the program and of the runs, and the runs' own file system */

enum { STAGE_RUN0, STAGE_RUN1, STAGE_PROGRAM, STAGES };

void staging_open(uid_t uid);
/// Carries out a FILE frame for a stage; dies on a path that is not allowed.
void staging_file(unsigned stage, const struct frame *f);
/// Bytes of staged files, of all stages.
uint64_t staging_bytes(void);
/// Forgets all files of a stage.
void staging_clear(unsigned stage);
/// Makes the run's tmpfs and fills its work folder with the program and the run's own files. Returns 0, ENOSPC
/// when they do not fit disk_bytes or inodes, or ENOTDIR or EISDIR when a path is both a file and a folder.
int staging_make(const struct request *q, unsigned stage);
/// Names the run's tmpfs for staging_attach.
int staging_files(void);
/// In the run's own mount namespace: mounts its folders, and the program's large executables into them. 0 or −errno.
long staging_attach(int files);
/// Gives the run's tmpfs up. False when something still holds it.
bool staging_drop(void);
/// RESULT_DISK_FULL and RESULT_INODES_FULL as they are now.
uint32_t staging_full(void);
/// Opens the directory that holds the last component of a path already found allowed. Returns −1 with errno. `*last`
/// points to that component. With `create`, missing directories are made, owned by `owner`.
int staging_parent(int top, char *path, bool create, uid_t owner, char **last);
/// The work folder of the run, opened.
int staging_work(void);
/// The top of a stage, opened, whose modes, times and links the run is to have.
int staging_exact(unsigned stage);

/* collect.c */

/// Sends the files that the request names.
void collect_files(const struct request *q, uint32_t id);

/* tree.c: a work folder as a whole, with modes, times, folders and links */

/// Carries out an ENTRY frame for a stage; dies on what is not allowed.
void tree_entry(unsigned stage, const struct frame *f);
/// Sends the work folder as the run has left it, at most `collect_bytes` of content.
void tree_send(const struct request *q, uint32_t id);

/* seccomp.c */

/// Builds both filters. Called once, before one is loaded.
void seccomp_build(void);
/// Loads what holds for all processes of the jail into the calling one; 0 or −errno.
long seccomp_load_jail(void);
/// Adds what a program may not do beyond that; 0 or −errno.
long seccomp_load_run(void);

/* main.c */

/// Runs see the jail's own root (gVisor), not one that was made for them; the kernel is then another, too.
extern bool root_is_own;

/* init.c, program.c: the far side of the clone. Only raw system calls from here on (raw.h) */

/// What init and the program's own child tell the supervisor through the status pipe.
struct report {
	uint32_t kind;
	int32_t step; // which step failed
	int32_t error; // errno
	int32_t status; // wait status; of REPORT_READY whether the program was forked warm
	uint64_t at_ns;
	uint64_t cpu_ns;
	uint64_t max_rss;
};
enum { REPORT_READY = 1, REPORT_EXEC_FAILED, REPORT_STEP_FAILED, REPORT_ENDED, REPORT_BUILT };

struct launch {
	const struct request *request;
	int in, out, err, status;
	int files; // for staging_attach
	bool warm; // a warm runtime makes the program, init only its place
	uid_t uid;
	int niceness; // above 0: in the supervisor's session and that nice; else a session, as nice as it
};
/// Clones init into the run's fresh namespaces and, if there is one, into the cgroup; `*l` stays as it is until init is
/// reaped. Returns its pid, or −errno. `*pidfd` stays −1 where the kernel has none.
long init_spawn(const struct launch *l, int *pidfd, int group);
/// REPORT_ENDED of a program that was just waited for. In program.c.
struct report report_of_end(int status, const struct rusage *usage);
/// All steps before the two that follow, with /work of the run's own namespace in place.
void program_prepare(const struct launch *l, int status_fd);
/// Tells the supervisor that the program begins now.
void program_ready(int status_fd, bool warm);
_Noreturn void program_exec(const struct launch *l, int status_fd);
_Noreturn void step_failed(int status_fd, int step, long result);
/// Does so if the result is a −errno.
void must_step(int status_fd, int step, long result);
/// Name of a step, for the text of an ERROR frame.
const char *step_name(int step);

enum step {
	STEP_DESCRIPTORS = 1,
	STEP_DEATH_SIGNAL,
	STEP_OOM_SCORE,
	STEP_HOSTNAME,
	STEP_FILES,
	STEP_PROC,
	STEP_FORK,
	STEP_INIT_CAPS,
	STEP_WAIT,
	STEP_SESSION,
	STEP_RLIMIT,
	STEP_SIGNALS,
	STEP_GROUPS,
	STEP_UID,
	STEP_CAPS,
	STEP_NO_NEW_PRIVS,
	STEP_CHDIR,
	STEP_SECCOMP,
	STEP_NAMESPACES,
	STEP_DUMPABLE,
	STEP_THREAD,
	STEPS,
};

extern const char *proc_options; // of the run's proc mount
/// Empties the bounding and ambient sets and sets the secure bits, once for all that is forked from the caller: nothing
/// that it executes has a capability.
void close_capabilities(void);
/// Drops every capability of the calling process; 0 or −errno.
long drop_capabilities(void);

/* window.c: the runs asked for and not answered */

struct slot {
	struct request request;
	uint32_t id; // 0: no RUN has come
	unsigned stage; // of its own files
	int input; // memfd
	uint64_t received; // of its input
	bool input_ended; // of a live run: END has come
	uint32_t signal; // of a live run: for its program once it executes, 0 for none
	bool files; // its stage holds something
	size_t raw_length; // of its RUN payload, 0 if that is too long for a warm runtime
	uint8_t raw[WARM_PAYLOAD_MAX];
};

void window_open(void);
/// Takes FILE, RUN, STDIN, END, SIGNAL and CANCEL; dies on what is out of order.
void window_handle(const struct frame *f);
/// Whether input may come while the run executes; its memfd is then a ring of LIVE_BUFFER bytes.
bool window_live(const struct slot *s);
/// The run to execute next, if its input is whole. Answers the cancelled ones before it.
struct slot *window_next(void);
/// Says that a RESULT was sent, and empties the slot.
void window_answered(struct slot *s);
/// Answers a run that never came to its clone.
void window_answer_unstarted(struct slot *s, enum cause cause, int error);
bool window_outstanding(void);
/// Bytes of input that are kept.
uint64_t window_bytes(void);
/// Forgets the program and all numbers, for RESET.
void window_forget(void);

/* warm.c: the runtimes that fork programs */

/// The one that has imported all, and one that has imported less and costs less to fork.
enum warm_kind { WARM_FULL, WARM_LIGHT, WARM_KINDS };

/// Takes an argument of the supervisor, `--warm-arg` or `--warm-env`; both in order.
void warm_argument(const char *text);
void warm_variable(const char *text);
/// Takes the variable in which the light runtime differs; without it there is none.
void warm_light_variable(const char *text);
/// How long the runtimes may take to become ready; 10 s unless told.
void warm_start_limit(int ms);
/// Starts them, if they have arguments, and waits until they are ready.
void warm_start(void);
bool warm_running(enum warm_kind kind);
/// How many there are.
unsigned warm_count(void);
/// Whether it is the process of one.
bool warm_is(pid_t pid);
/// Asks for a program in the namespaces of init. `fds` are its 0, 1, 2 and the status pipe.
void warm_request(enum warm_kind kind, const struct slot *s, const struct launch *l, int init_pidfd, const int fds[4]);
/// Descriptor of its answers, −1 without this runtime.
int warm_fd(enum warm_kind kind);
/// Reads the answer to the request: the program's pid, or −errno, and whether the runtime keeps it as its own child.
pid_t warm_answer(enum warm_kind kind, bool *kept);

/* run.c: the execution of one run */

enum phase { IDLE, STARTING, RUNNING, ENDED };

struct stream {
	int fd;
	uint8_t flag; // OUTPUT_STDOUT or OUTPUT_STDERR
	uint64_t seen;
	bool truncated;
};

/// The run that executes. Kept by run.c, judged by result.c.
struct current {
	enum phase phase;
	struct slot *slot;
	pid_t init;
	int pidfd, status;
	// Only of a run by a warm runtime: the program is the supervisor's own child, or (kept) the runtime's.
	enum warm_kind runtime;
	bool warm, asked, kept, forked; // asked: no answer yet; forked: the runtime made it, and it was no exec
	pid_t program;
	int program_pidfd;
	int program_fds[3];
	int input, input_kept; // write end to the program, our own read end
	uint64_t fed, told; // of a live run: what TAKEN frames have said
	struct stream streams[2];
	bool limited, ended, exec_failed, killed;
	enum cause cause; // if limited
	struct report end; // if ended
	int exec_errno; // if exec_failed
	uint64_t exec_ns, exec_cpu_ns, end_ns;
	uint64_t cpu_ns; // of the group, once ended
	uint64_t stall_start, stalled_ns;
	int niceness; // that it is started with
	uint64_t waited_ns, next_wait; // for a core, as far as looked at; when to look again
	uint64_t next_look; // not before then, at a wait that the limit was met in
	uint64_t starved_ns; // of its wall time, others had its core; known once the limit was met
	bool starved; // too long to go on
	bool deferred; // it met the limit and may be in a wait whose length will be known only at its end
	bool kept_waiting; // it certainly was in one at the last look
	uint64_t next_cpu, next_tick;
	uint64_t polled_memory, polled_cpu;
};
extern struct current run;

void run_open(uid_t uid, int niceness);
/// Starts the next run if it is whole and none executes.
void run_start_next(void);
/// Kills the run that executes, if any.
void run_cancel(void);
/// Sends the program that executes the signal that its slot keeps, or once it does.
void run_signal(void);
enum { RUN_FDS = 8 };
/// Fills in the descriptors to watch; returns how many.
nfds_t run_poll_fds(struct pollfd *fds);
void run_poll_done(const struct pollfd *fds, nfds_t count);
/// Kills the run; `cause` is what ended it unless something did before.
void run_end_by(enum cause cause);
/// Closes a descriptor of the run that is open, and marks it closed.
void run_close(int *fd);
/// The run that an ERROR frame is about, or 0.
uint32_t run_current_id(void);

/* capture.c */

/// Feeds what the program takes of its input; closes it at its end.
void capture_feed(void);
/// Whether there is something to feed, or an end to tell.
bool capture_hungry(void);
/// Takes what the stream has. Returns false if the channel has no room.
bool capture_read(struct stream *s);
/// Keeps account of the time in which output waits for the service.
void capture_stalled(bool stalled);

/* limits.c */

void limits_open(void);
/// Enforces what is due, and returns when it next has to be called (absolute, ns, or NEVER).
/// Of a run that has used so much CPU time: how much of the time that has passed strangers had its core, as far as was
/// looked at, ns.
uint64_t limits_starved(uint64_t passed, uint64_t used);
uint64_t limits_enforce(void);

/* result.c */

/// Collects what was asked for and sends RESULT. Everything of the run is dead.
void result_send(void);

#endif
