// Other processes, namespaces, and calls of the kernel that no program needs.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

enum { NR_fsopen = 430 }; // the build host's headers may not have it yet

// Of the run's own namespace there are its first process and this one.
static bool other_processes(void)
{
	DIR *folder = opendir("/proc");
	if (!folder)
		return errno_is_kept();
	bool seen = false;
	for (struct dirent *entry; !seen && (entry = readdir(folder));) {
		const int pid = atoi(entry->d_name);
		seen = pid > 1 && pid != getpid() && found("process %d", pid);
	}
	closedir(folder);
	return seen;
}

// Signal 0 harms nobody; every process but the first and this one is asked (kill(2)).
static bool signal_others(void) { return kill(-1, 0) == 0 || errno_is_kept(); }
static bool trace_itself(void) { return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 || errno_is_kept(); }
static bool trace_first(void) { return ptrace(PTRACE_SEIZE, 1, NULL, NULL) == 0 || errno_is_kept(); }

// In a child, since it may succeed.
static bool unshared(int flags)
{
	const pid_t child = fork();
	if (child < 0)
		return errno_is_kept();
	if (child == 0)
		_exit(unshare(flags) == 0 ? 0 : errno);
	int status;
	waitpid(child, &status, 0);
	if (!WIFEXITED(status))
		return only_said("it was ended");
	errno = WEXITSTATUS(status);
	return errno == 0 || errno_is_kept();
}

static bool user_namespace(void) { return unshared(CLONE_NEWUSER); }
static bool mount_namespace(void) { return unshared(CLONE_NEWNS); }

static bool user_namespace_by_clone(void)
{
	const long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
	if (child == 0)
		_exit(0);
	return child > 0 || errno_is_kept();
}

// On a folder of its own, and taken away again.
static bool mount_tmpfs(void)
{
	static const char place[] = "wall-probe-mount";
	mkdir(place, 0700);
	const bool mounted = mount("none", place, "tmpfs", 0, NULL) == 0;
	if (!mounted)
		errno_is_kept();
	else
		umount2(place, MNT_DETACH);
	rmdir(place);
	return mounted;
}

static bool mount_api(void) { return syscall(NR_fsopen, "tmpfs", 0) >= 0 || errno_is_kept(); }

static bool kernel_keys(void) { return syscall(SYS_keyctl, 0, -3, 1) >= 0 || errno_is_kept(); }
static bool bpf(void) { return (syscall(SYS_bpf, 0, NULL, 0) < 0 && errno == EINVAL) || errno_is_kept(); }

// A call that is there looks at its arguments and finds none.
static bool io_uring(void)
{
	return (syscall(SYS_io_uring_setup, 1, NULL) < 0 && errno == EFAULT) ? found("it is there") : errno_is_kept();
}

static bool capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[2] = { 0 };
	if (syscall(SYS_capget, &header, sets) < 0)
		return errno_is_kept();
	const uint32_t low = sets[0].effective | sets[0].permitted, high = sets[1].effective | sets[1].permitted;
	return (low || high) && found("%08x%08x", high, low);
}

static bool descriptors(void)
{
	for (int fd = 3; fd < 256; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return found("descriptor %d", fd);
	return false;
}

static const struct attempt list[] = {
	{ "other_processes", other_processes, NULL },
	{ "signal_others", signal_others, NULL },
	{ "descriptors", descriptors, NULL },
	{ "capabilities", capabilities, NULL },
	{ "trace_itself", trace_itself, NULL },
	{ "trace_first", trace_first, NULL },
	{ "user_namespace", user_namespace, NULL },
	{ "user_namespace_by_clone", user_namespace_by_clone, NULL },
	{ "mount_namespace", mount_namespace, NULL },
	{ "mount", mount_tmpfs, NULL },
	{ "mount_api", mount_api, NULL },
	{ "kernel_keys", kernel_keys, NULL },
	{ "bpf", bpf, NULL },
	{ "io_uring", io_uring, NULL },
};

const struct attempts kernel_attempts = { list, sizeof list / sizeof list[0] };
