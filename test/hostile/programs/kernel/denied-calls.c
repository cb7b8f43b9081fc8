// How: makes every system call that is attack surface, a channel or a way out, each in a child of its own, and prints
// how it ended: `name errno NAME`, `name signal N`, or `name GRANTED`.
// Expected: exited 0; no line says GRANTED.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL(name, ...) \
	static long name(void) \
	{ \
		return syscall(__VA_ARGS__); \
	}

enum { READ_IMPLIES_EXEC_FLAG = 0x0400000, ALG = 38, VSOCK = 40, NETLINK = 16, PACKET = 17, BLUETOOTH = 31, XDP = 44 };

static char page[8192];

CALL(ptrace_traceme, SYS_ptrace, 0, 0, 0, 0)
CALL(ptrace_attach_init, SYS_ptrace, 16, 1, 0, 0)
CALL(ptrace_seize_parent, SYS_ptrace, 0x4206, getppid(), 0, 0)
CALL(unshare_user, SYS_unshare, CLONE_NEWUSER)
CALL(unshare_mount, SYS_unshare, CLONE_NEWNS)
CALL(unshare_net, SYS_unshare, CLONE_NEWNET)
CALL(clone_newuser, SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)
CALL(clone_newpid, SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0)
CALL(clone3_any, SYS_clone3, page, 88)
CALL(mount_tmpfs, SYS_mount, "none", "/tmp", "tmpfs", 0, 0)
CALL(remount_root, SYS_mount, "none", "/", "", MS_REMOUNT | MS_BIND, 0)
CALL(umount_work, SYS_umount2, "/work", MNT_DETACH)
CALL(pivot, SYS_pivot_root, "/tmp", "/tmp")
CALL(chroot_tmp, SYS_chroot, "/tmp")
CALL(keyctl_session, SYS_keyctl, 1, 0, 0, 0, 0)
CALL(add_key_user, SYS_add_key, "user", "assay", "x", 1, -3)
CALL(request_key_user, SYS_request_key, "user", "assay", 0, 0)
CALL(bpf_map, SYS_bpf, 0, page, 72)
CALL(io_uring, SYS_io_uring_setup, 4, page)
CALL(uffd, SYS_userfaultfd, 1)
CALL(kexec, SYS_kexec_load, 0, 0, 0, 0)
CALL(init_mod, SYS_init_module, page, 100, "")
CALL(delete_mod, SYS_delete_module, "x", 0)
CALL(reboot_off, SYS_reboot, 0xfee1dead, 672274793, 0, 0)
CALL(swap_on, SYS_swapon, "/tmp/x", 0)
CALL(host_name, SYS_sethostname, "x", 1)
CALL(acct_file, SYS_acct, "/tmp/acct")
CALL(kernel_log, SYS_syslog, 3, page, 100)
CALL(fanotify, SYS_fanotify_init, 0, 0)
CALL(read_implies_exec, SYS_personality, READ_IMPLIES_EXEC_FLAG)
CALL(quota, SYS_quotactl, 0, 0, 0, 0)
CALL(fs_open, SYS_fsopen, "tmpfs", 0)
CALL(open_tree_root, SYS_open_tree, AT_FDCWD, "/", 1)
CALL(move_pages_init, SYS_move_pages, 1, 0, 0, 0, 0, 0)
CALL(kcmp_init, SYS_kcmp, 1, getpid(), 0, 0, 0)
CALL(pidfd_steal, SYS_pidfd_getfd, 0, 0, 0)
CALL(netlink, SYS_socket, NETLINK, SOCK_RAW, 0)
CALL(packet, SYS_socket, PACKET, SOCK_RAW, 0)
CALL(vsock, SYS_socket, VSOCK, SOCK_STREAM, 0)
CALL(alg, SYS_socket, ALG, SOCK_SEQPACKET, 0)
CALL(bluetooth, SYS_socket, BLUETOOTH, SOCK_RAW, 0)
CALL(xdp, SYS_socket, XDP, SOCK_RAW, 0)
CALL(raw_icmp, SYS_socket, AF_INET, SOCK_RAW, 1)
CALL(mknod_device, SYS_mknodat, AT_FDCWD, "/tmp/mem", S_IFCHR | 0666, 0x101)
CALL(setuid_root, SYS_setresuid, 0, 0, 0)
CALL(vhangup_tty, SYS_vhangup)
CALL(unshare_cgroup, SYS_unshare, CLONE_NEWCGROUP)
CALL(unshare_ipc, SYS_unshare, CLONE_NEWIPC)
CALL(unshare_uts, SYS_unshare, CLONE_NEWUTS)
CALL(unshare_pid, SYS_unshare, CLONE_NEWPID)
CALL(unshare_time, SYS_unshare, 0x80)
CALL(unshare_user_net, SYS_unshare, CLONE_NEWUSER | CLONE_NEWNET)
CALL(clone_newnet, SYS_clone, CLONE_NEWUSER | CLONE_NEWNET | SIGCHLD, 0, 0, 0, 0)
CALL(move_mount_call, 429, AT_FDCWD, "/tmp", AT_FDCWD, "/work", 0)
CALL(fs_config, 431, 0, 6, 0, 0, 0)
CALL(fs_mount, 432, 0, 0, 0)
CALL(fs_pick, 433, AT_FDCWD, "/", 0)
CALL(mount_attributes, 442, AT_FDCWD, "/", 0, page, 32)
CALL(open_tree_attributes, 467, AT_FDCWD, "/", 1, page, 32)
CALL(io_uring_enter_call, SYS_io_uring_enter, 0, 1, 0, 0, 0, 0)
CALL(io_uring_register_call, SYS_io_uring_register, 0, 0, 0, 0)
CALL(advise_others, 440, 0, 0, 0, 0, 0)
CALL(reap_others, 448, 0, 0)
CALL(secret_memory, 447, 0)
CALL(kexec_file, SYS_kexec_file_load, 0, 0, 0, "", 0)
CALL(init_mod_file, SYS_finit_module, 0, "", 0)
CALL(swap_off, SYS_swapoff, "/tmp/x")
CALL(time_set, SYS_settimeofday, page, 0)
CALL(clock_adjust, SYS_adjtimex, page)
CALL(clock_adjust_one, SYS_clock_adjtime, 0, page)
CALL(domain_name, SYS_setdomainname, "x", 1)
CALL(file_handle, SYS_name_to_handle_at, AT_FDCWD, "/", page, page, 0)
CALL(migrate, SYS_migrate_pages, 1, 8, page, page)
CALL(affinity, SYS_sched_setaffinity, 0, 128, page)
CALL(real_time, SYS_sched_setscheduler, 0, 1, page)
CALL(scheduling, SYS_sched_setattr, 0, page, 0)
CALL(watch_files, SYS_inotify_init1, 0)
CALL(page_cache, 451, 0, page, page, 0)
CALL(security_modules, 461, page, page, 0)
CALL(later_call, 500, 0, 0, 0)
CALL(sctp, SYS_socket, AF_INET, SOCK_STREAM, 132)
CALL(sctp_packets, SYS_socket, AF_INET, SOCK_SEQPACKET, 0)
CALL(dccp, SYS_socket, AF_INET6, SOCK_DCCP, 33)
CALL(mptcp, SYS_socket, AF_INET, SOCK_STREAM, 262)
CALL(smc, SYS_socket, AF_INET6, SOCK_STREAM, 256)
CALL(udp_lite, SYS_socket, AF_INET, SOCK_DGRAM, 136)
CALL(ping, SYS_socket, AF_INET, SOCK_DGRAM, 1)
CALL(netlink_pair, SYS_socketpair, NETLINK, SOCK_RAW, 0, page)
CALL(vhost, SYS_openat, AT_FDCWD, "/dev/vhost-vsock", O_RDWR)
CALL(virtual_machine, SYS_openat, AT_FDCWD, "/dev/kvm", O_RDWR)
CALL(tunnel, SYS_openat, AT_FDCWD, "/dev/net/tun", O_RDWR)
CALL(fuse, SYS_openat, AT_FDCWD, "/dev/fuse", O_RDWR)
CALL(setuid_at_birth, SYS_openat, AT_FDCWD, "/tmp/born", O_CREAT | O_WRONLY, 06755)
CALL(setuid_nameless, SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_WRONLY, 04755)
CALL(setuid_node, SYS_mknodat, AT_FDCWD, "/tmp/node", S_IFREG | 04755, 0)

// Families of sockets but unix and the two internets: each is a module of the kernel's.
static long other_families(void)
{
	for (int family = 0; family < 64; family++) {
		if (family == AF_UNIX || family == AF_INET || family == AF_INET6)
			continue;
		for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
			long fd = syscall(SYS_socket, family, type, 0);
			if (fd >= 0)
				return family;
		}
	}
	return -1;
}

static long setuid_by_structure(void)
{
	uint64_t how[3] = { O_CREAT | O_WRONLY, 04755, 0 };
	return syscall(437, AT_FDCWD, "/tmp/how", how, sizeof how);
}

static long folder_signals(void)
{
	return fcntl(open("/usr/bin", O_RDONLY), F_NOTIFY, 0x80000001);
}

static long lease(void)
{
	return fcntl(open("/usr/bin/env", O_RDONLY), F_SETLEASE, F_RDLCK);
}

static long process_vm(void)
{
	struct iovec here = { page, 16 }, there = { (void *)0x400000, 16 };
	return syscall(SYS_process_vm_readv, 1, &here, 1, &there, 1, 0);
}

static long process_vm_parent(void)
{
	struct iovec here = { page, 16 }, there = { page, 16 };
	return syscall(SYS_process_vm_writev, getppid(), &here, 1, &there, 1, 0);
}

static long setns_init(void)
{
	int fd = open("/proc/self/ns/mnt", O_RDONLY);
	return syscall(SYS_setns, fd, 0);
}

static long perf(void)
{
	uint32_t attributes[32] = { 1, 128 };
	return syscall(SYS_perf_event_open, attributes, 0, -1, -1, 0);
}

static long handle(void)
{
	return syscall(SYS_open_by_handle_at, AT_FDCWD, page, 0);
}

static long clock_set(void)
{
	struct timespec now = { 1, 0 };
	return syscall(SYS_clock_settime, 0, &now);
}

static long tiocsti(void)
{
	return ioctl(0, TIOCSTI, "x");
}

static long tiocsti_high_bits(void)
{
	// Bits above the 32 that the kernel looks at, against a filter that compares 64 (CVE-2019-7303).
	return syscall(SYS_ioctl, 0, 0x100000000ul | TIOCSTI, "x");
}

static long setuid_bit(void)
{
	int fd = open("/tmp/suid", O_CREAT | O_WRONLY, 0700);
	return fchmod(fd, 04777);
}

static long capability_raise(void)
{
	struct { uint32_t version; int pid; } head = { 0x20080522, 0 };
	struct { uint32_t effective, permitted, inheritable; } data[2] = { { 1u << 21, 1u << 21, 0 }, { 0, 0, 0 } };
	return syscall(SYS_capset, &head, data);
}

static long shadow_stack_of_init(void)
{
	int fd = open("/proc/1/mem", O_RDWR);
	return fd < 0 ? -1 : 0;
}

#ifdef __x86_64__
static long x32_call(void)
{
	return syscall(0x40000000 | 39); // getpid of the x32 ABI
}

static long i386_call(void)
{
	long result = 20; // getpid of the i386 ABI
	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

static long i386_kill(void)
{
	long result = 37; // kill of the i386 ABI; 37 is alarm of x86-64
	__asm__ volatile("int $0x80" : "+a"(result) : "b"(1), "c"(9) : "memory", "r8", "r9", "r10", "r11");
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

static long io_ports(void)
{
	return syscall(SYS_iopl, 3);
}

static long local_descriptors(void)
{
	return syscall(SYS_modify_ldt, 1, page, 16);
}
#endif

static const struct {
	const char *name;
	long (*call)(void);
} calls[] = {
#define ROW(name) { #name, name },
	ROW(ptrace_traceme) ROW(ptrace_attach_init) ROW(ptrace_seize_parent) ROW(process_vm) ROW(process_vm_parent)
	ROW(unshare_user) ROW(unshare_mount) ROW(unshare_net) ROW(clone_newuser) ROW(clone_newpid) ROW(clone3_any)
	ROW(setns_init) ROW(mount_tmpfs) ROW(remount_root) ROW(umount_work) ROW(pivot) ROW(chroot_tmp)
	ROW(keyctl_session) ROW(add_key_user) ROW(request_key_user) ROW(bpf_map) ROW(io_uring) ROW(uffd) ROW(perf)
	ROW(kexec) ROW(init_mod) ROW(delete_mod) ROW(reboot_off) ROW(swap_on) ROW(clock_set) ROW(host_name)
	ROW(acct_file) ROW(kernel_log) ROW(handle) ROW(fanotify) ROW(read_implies_exec) ROW(quota) ROW(fs_open)
	ROW(open_tree_root) ROW(move_pages_init) ROW(kcmp_init) ROW(pidfd_steal) ROW(netlink) ROW(packet) ROW(vsock)
	ROW(alg) ROW(bluetooth) ROW(xdp) ROW(raw_icmp) ROW(mknod_device) ROW(setuid_bit) ROW(setuid_root)
	ROW(capability_raise) ROW(tiocsti) ROW(tiocsti_high_bits) ROW(vhangup_tty) ROW(shadow_stack_of_init)
	ROW(unshare_cgroup) ROW(unshare_ipc) ROW(unshare_uts) ROW(unshare_pid) ROW(unshare_time) ROW(unshare_user_net)
	ROW(clone_newnet) ROW(move_mount_call) ROW(fs_config) ROW(fs_mount) ROW(fs_pick) ROW(mount_attributes)
	ROW(open_tree_attributes) ROW(io_uring_enter_call) ROW(io_uring_register_call) ROW(advise_others) ROW(reap_others)
	ROW(secret_memory) ROW(kexec_file) ROW(init_mod_file) ROW(swap_off) ROW(time_set) ROW(clock_adjust)
	ROW(clock_adjust_one) ROW(domain_name) ROW(file_handle) ROW(migrate) ROW(affinity) ROW(real_time) ROW(scheduling)
	ROW(watch_files) ROW(page_cache) ROW(security_modules) ROW(later_call) ROW(sctp) ROW(sctp_packets) ROW(dccp)
	ROW(mptcp) ROW(smc) ROW(udp_lite) ROW(ping) ROW(netlink_pair) ROW(vhost) ROW(virtual_machine) ROW(tunnel) ROW(fuse)
	ROW(setuid_at_birth) ROW(setuid_nameless) ROW(setuid_node) ROW(other_families) ROW(setuid_by_structure)
	ROW(folder_signals) ROW(lease)
#ifdef __x86_64__
	ROW(x32_call) ROW(i386_call) ROW(i386_kill) ROW(io_ports) ROW(local_descriptors)
#endif
};

int main(void)
{
	for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		printf("%s ", calls[i].name);
		fflush(stdout);
		pid_t child = fork();
		if (child == 0) {
			errno = 0;
			long result = calls[i].call();
			if (result < 0)
				printf("errno %s\n", strerrorname_np(errno));
			else
				printf("GRANTED %ld\n", result);
			fflush(stdout);
			_exit(0);
		}
		int status = 0;
		waitpid(child, &status, 0);
		if (WIFSIGNALED(status))
			printf("signal %d\n", WTERMSIG(status));
	}
	return 0;
}
