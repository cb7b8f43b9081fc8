// The system call filters, in classic BPF: a table of calls and what becomes of them, compiled
// once into short binary searches. The kernel compiles a filter and walks it for every call number each time
// it is loaded, so the length of what is loaded in each run is felt: that is a filter of those calls alone that the
// supervisor needs itself to make a run. The rest is in the jail's filter, loaded once, under which all live.
// Default is to allow: the walls are namespaces, uid and cgroup; this takes away kernel attack surface and
// channels. Calls that a newer libc probes for answer ENOSYS, so that it falls back (seccomp(2), clone3).

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw.h"
#include "supervisor.h"

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#define X32_BIT 0x40000000u
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "no filter for this architecture"
#endif

// Numbers that the build host's headers may not have yet; the same on all architectures.
enum {
	NR_open_tree = 428,
	NR_move_mount,
	NR_fsopen,
	NR_fsconfig,
	NR_fsmount,
	NR_fspick,
	NR_openat2 = 437,
	NR_pidfd_getfd,
	NR_process_madvise = 440,
	NR_mount_setattr = 442,
	NR_quotactl_fd = 443,
	NR_memfd_secret = 447,
	NR_process_mrelease = 448,
	NR_cachestat = 451,
	NR_fchmodat2 = 452,
	NR_statmount = 457,
	NR_listmount = 458,
	NR_lsm_list_modules = 461,
	NR_open_tree_attr = 467,
	// The highest number judged here; what comes later does not exist for the program.
	NR_LAST = 467,
};

enum action {
	ALLOW,
	DENY, // EPERM
	ABSENT, // ENOSYS
	CLONE, // the rest look at an argument
	SOCKET,
	SOCKETPAIR,
	PERSONALITY,
	IOCTL,
	FCNTL,
	MODE_1,
	MODE_2,
	OPEN,
	OPENAT,
	ACTIONS,
};

struct call {
	uint32_t number;
	enum action action;
};

static struct call calls[] = {
	{ SYS_clone, CLONE },
	{ SYS_clone3, ABSENT },
	{ SYS_unshare, DENY },
	{ SYS_setns, DENY },
	{ SYS_mount, DENY },
	{ SYS_umount2, DENY },
	{ SYS_pivot_root, DENY },
	{ SYS_chroot, DENY },
	{ NR_open_tree, DENY },
	{ NR_move_mount, DENY },
	{ NR_fsopen, DENY },
	{ NR_fsconfig, DENY },
	{ NR_fsmount, DENY },
	{ NR_fspick, DENY },
	{ NR_mount_setattr, DENY },
	{ NR_open_tree_attr, DENY },
	{ NR_statmount, ABSENT },
	{ NR_listmount, ABSENT },
	{ NR_lsm_list_modules, ABSENT },
	// Jails have the inodes of the toolchain in common: whoever waits for what happens to them sees his neighbours at work.
#ifdef SYS_inotify_init
	{ SYS_inotify_init, ABSENT },
#endif
	{ SYS_inotify_init1, ABSENT },
	{ NR_cachestat, ABSENT },
	{ SYS_fcntl, FCNTL },
	{ SYS_ptrace, DENY },
	{ SYS_process_vm_readv, DENY },
	{ SYS_process_vm_writev, DENY },
	{ SYS_kcmp, DENY },
	{ NR_pidfd_getfd, DENY },
	{ NR_process_madvise, DENY },
	{ NR_process_mrelease, DENY },
	{ SYS_keyctl, DENY },
	{ SYS_add_key, DENY },
	{ SYS_request_key, DENY },
	{ SYS_bpf, DENY },
	{ SYS_perf_event_open, DENY },
	{ SYS_userfaultfd, DENY },
	{ SYS_io_uring_setup, DENY },
	{ SYS_io_uring_enter, DENY },
	{ SYS_io_uring_register, DENY },
	{ SYS_kexec_load, DENY },
	{ SYS_kexec_file_load, DENY },
	{ SYS_init_module, DENY },
	{ SYS_finit_module, DENY },
	{ SYS_delete_module, DENY },
	{ SYS_reboot, DENY },
	{ SYS_swapon, DENY },
	{ SYS_swapoff, DENY },
	{ SYS_settimeofday, DENY },
	{ SYS_clock_settime, DENY },
	{ SYS_adjtimex, DENY },
	{ SYS_clock_adjtime, DENY },
	{ SYS_sethostname, DENY },
	{ SYS_setdomainname, DENY },
	{ SYS_quotactl, DENY },
	{ NR_quotactl_fd, DENY },
	{ SYS_acct, DENY },
	{ SYS_syslog, DENY },
#ifdef SYS_lookup_dcookie
	{ SYS_lookup_dcookie, DENY },
#endif
	{ SYS_name_to_handle_at, DENY },
	{ SYS_open_by_handle_at, DENY },
	{ SYS_fanotify_init, DENY },
	{ SYS_move_pages, DENY },
	{ SYS_migrate_pages, DENY },
	{ SYS_vhangup, DENY },
	{ SYS_nfsservctl, DENY },
	{ SYS_sched_setaffinity, DENY },
	{ SYS_sched_setscheduler, DENY },
	{ SYS_sched_setparam, DENY },
	{ SYS_sched_setattr, DENY },
	{ NR_memfd_secret, DENY },
	{ SYS_personality, PERSONALITY },
	{ SYS_socket, SOCKET },
	{ SYS_socketpair, SOCKETPAIR },
	{ SYS_ioctl, IOCTL },
	{ SYS_fchmod, MODE_1 },
	{ SYS_fchmodat, MODE_2 },
	{ NR_fchmodat2, MODE_2 },
	{ SYS_mknodat, MODE_2 },
	{ SYS_openat, OPENAT },
	{ NR_openat2, ABSENT }, // its mode lies in memory
#ifdef __x86_64__
	{ SYS_chmod, MODE_1 },
	{ SYS_mknod, MODE_1 },
	{ SYS_creat, MODE_1 },
	{ SYS_open, OPEN },
	{ SYS_iopl, DENY },
	{ SYS_ioperm, DENY },
	{ SYS_modify_ldt, DENY },
	{ SYS_uselib, DENY },
#endif
};
enum { CALLS = sizeof calls / sizeof calls[0] };

// What the supervisor, a run's init or a warm runtime needs to make a run.
static const uint32_t run_makers[] = {
	SYS_clone,     SYS_clone3, SYS_setns,    SYS_mount,  SYS_umount2,
	NR_move_mount, NR_fsopen,  NR_fsconfig, NR_fsmount, SYS_sched_setaffinity,
};

static bool makes_runs(uint32_t number)
{
	for (size_t i = 0; i < sizeof run_makers / sizeof run_makers[0]; i++)
		if (run_makers[i] == number)
			return true;
	return false;
}

// A call number from `first` up to the next range's has this action.
struct range {
	uint32_t first;
	enum action action;
};
static struct range ranges[2 * CALLS + 2];
static size_t ranges_count;

enum { CODE_MAX = 512 };
struct filter {
	unsigned short length;
	struct sock_filter code[CODE_MAX];
};
static struct filter of_jail, of_run;
static struct filter *building;

#define LOW_WORD(n) ((uint32_t)(offsetof(struct seccomp_data, args[n])))

static void emit(uint16_t op, uint8_t jump_true, uint8_t jump_false, uint32_t k)
{
	if (building->length == CODE_MAX)
		die(ERROR_ASSERTION, "seccomp filter too long");
	building->code[building->length++] = (struct sock_filter){ op, jump_true, jump_false, k };
}

static void load(uint32_t offset)
{
	emit(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static void answer(uint32_t what)
{
	emit(BPF_RET | BPF_K, 0, 0, what);
}

static uint32_t fail_with(int error)
{
	return SECCOMP_RET_ERRNO | (uint32_t)error;
}

// Returns `error` if any bit of the mask is set in the argument.
static void refuse_bits(unsigned argument, uint32_t mask, int error)
{
	load(LOW_WORD(argument));
	emit(BPF_JMP | BPF_JSET | BPF_K, 0, 1, mask);
	answer(fail_with(error));
	answer(SECCOMP_RET_ALLOW);
}

// A file may not come into being with these bits either. Where none is made, the mode is whatever the register holds.
static void refuse_made_bits(unsigned flags, uint32_t mask)
{
	load(LOW_WORD(flags));
	emit(BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
	answer(SECCOMP_RET_ALLOW);
	refuse_bits(flags + 1, mask, EPERM);
}

// Kinds of sockets that a host's kernel would load a module for (SCTP, DCCP, SMC, MPTCP …) are surface without a use.
static void emit_socket(void)
{
	load(LOW_WORD(0));
	emit(BPF_JMP | BPF_JEQ | BPF_K, 13, 0, AF_UNIX);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, AF_INET);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AF_INET6);
	answer(fail_with(EAFNOSUPPORT));
	load(LOW_WORD(1));
	emit(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xf); // without SOCK_NONBLOCK, SOCK_CLOEXEC
	emit(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SOCK_STREAM);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SOCK_DGRAM);
	answer(fail_with(EPERM));
	load(LOW_WORD(2));
	emit(BPF_JMP | BPF_JEQ | BPF_K, 3, 0, 0);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, IPPROTO_TCP);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, IPPROTO_UDP);
	answer(fail_with(EPROTONOSUPPORT));
	answer(SECCOMP_RET_ALLOW);
}

// Allows the call if the argument is one of two values.
static void allow_two(unsigned argument, uint32_t a, uint32_t b, int error)
{
	load(LOW_WORD(argument));
	emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, a);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, b);
	answer(SECCOMP_RET_ALLOW);
	answer(fail_with(error));
}

static void refuse_two(unsigned argument, uint32_t a, uint32_t b, int error)
{
	load(LOW_WORD(argument));
	emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, a);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, b);
	answer(fail_with(error));
	answer(SECCOMP_RET_ALLOW);
}

static void emit_action(enum action action)
{
	switch (action) {
	case ALLOW:
		answer(SECCOMP_RET_ALLOW);
		return;
	case DENY:
		answer(fail_with(EPERM));
		return;
	case ABSENT:
		answer(fail_with(ENOSYS));
		return;
	case CLONE:
		refuse_bits(0,
			    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
				    CLONE_NEWNET,
			    EPERM);
		return;
	case SOCKET:
		emit_socket();
		return;
	case SOCKETPAIR:
		allow_two(0, AF_UNIX, AF_UNIX, EAFNOSUPPORT);
		return;
	case PERSONALITY:
		allow_two(0, 0, 0xffffffff, EPERM);
		return;
	case IOCTL:
		refuse_two(1, TIOCSTI, TIOCLINUX, EPERM);
		return;
	case FCNTL:
		refuse_two(1, F_NOTIFY, F_SETLEASE, EPERM);
		return;
	case MODE_1:
		refuse_bits(1, 06000, EPERM);
		return;
	case MODE_2:
		refuse_bits(2, 06000, EPERM);
		return;
	case OPEN:
		refuse_made_bits(1, 06000);
		return;
	case OPENAT:
		refuse_made_bits(2, 06000);
		return;
	case ACTIONS:
		break;
	}
	die(ERROR_ASSERTION, "no such action");
}

// A jump to the block of an action, which is emitted once, after the search.
struct jump {
	unsigned short at;
	bool when_true;
	enum action action;
};
static struct jump jumps[2 * (2 * CALLS + 2)];
static size_t jumps_count;

static void set_jump(unsigned short at, bool when_true, unsigned short target)
{
	size_t distance = (size_t)target - at - 1;
	if (distance > UINT8_MAX)
		die(ERROR_ASSERTION, "seccomp filter too long");
	if (when_true)
		building->code[at].jt = (uint8_t)distance;
	else
		building->code[at].jf = (uint8_t)distance;
}

static void emit_search(size_t from, size_t to);

// Lets one side of the comparison at `at` go on with ranges [from, to).
static void branch(unsigned short at, bool when_true, size_t from, size_t to)
{
	if (to - from == 1) {
		jumps[jumps_count++] = (struct jump){ at, when_true, ranges[from].action };
		return;
	}
	set_jump(at, when_true, building->length);
	emit_search(from, to);
}

// Binary search over ranges [from, to), at least two. The accumulator holds the call number throughout.
static void emit_search(size_t from, size_t to)
{
	size_t middle = from + (to - from) / 2;
	unsigned short at = building->length;
	emit(BPF_JMP | BPF_JGE | BPF_K, 0, 0, ranges[middle].first);
	branch(at, false, from, middle);
	branch(at, true, middle, to);
}

static void emit_actions(void)
{
	for (enum action action = ALLOW; action < ACTIONS; action++) {
		unsigned short start = building->length;
		bool used = false;
		for (size_t i = 0; i < jumps_count; i++)
			if (jumps[i].action == action) {
				set_jump(jumps[i].at, jumps[i].when_true, start);
				used = true;
			}
		if (used)
			emit_action(action);
	}
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = ((const struct call *)a)->number, y = ((const struct call *)b)->number;
	return (x > y) - (x < y);
}

static void add_range(uint32_t first, enum action action)
{
	if (ranges_count && ranges[ranges_count - 1].first == first)
		ranges[ranges_count - 1].action = action;
	else if (!ranges_count || ranges[ranges_count - 1].action != action)
		ranges[ranges_count++] = (struct range){ first, action };
}

static void build(struct filter *filter, bool of_makers)
{
	building = filter;
	ranges_count = jumps_count = 0;
	add_range(0, ALLOW);
	for (size_t i = 0; i < CALLS; i++) {
		if (makes_runs(calls[i].number) != of_makers)
			continue;
		add_range(calls[i].number, calls[i].action);
		add_range(calls[i].number + 1, ALLOW);
	}
	// Once is enough: of several filters the strictest answer counts.
	if (!of_makers) {
		add_range(NR_LAST + 1, ABSENT);
		load(offsetof(struct seccomp_data, arch));
		emit(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCH);
		answer(SECCOMP_RET_KILL_PROCESS);
	}
	load(offsetof(struct seccomp_data, nr));
#ifdef X32_BIT
	if (!of_makers) {
		emit(BPF_JMP | BPF_JSET | BPF_K, 0, 1, X32_BIT);
		answer(SECCOMP_RET_KILL_PROCESS);
	}
#endif
	emit_search(0, ranges_count);
	emit_actions();
}

void seccomp_build(void)
{
	qsort(calls, CALLS, sizeof calls[0], by_number);
	build(&of_jail, false);
	build(&of_run, true);
}

static long load_filter(const struct filter *filter)
{
	const struct sock_fprog program = { .len = filter->length, .filter = (struct sock_filter *)filter->code };
	return raw(SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

long seccomp_load_jail(void)
{
	return load_filter(&of_jail);
}

long seccomp_load_run(void)
{
	return load_filter(&of_run);
}
