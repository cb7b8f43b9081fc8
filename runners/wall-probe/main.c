// Tries to get out of a jail, as a submission might: `wall-probe MODE NAME=VALUE…`. The service runs it behind each of its
// walls and holds what it says against what arrived on the host (src/judge/wall-test). One line an attempt:
// `NAME refused WHY` or `NAME open WHAT`; "open" is a hole. Static, so that it needs nothing of a jail's mounts. Where a wall
// does not hold it meets the host: nothing that it tries may do harm there, and what it finds open it undoes.
//   try        everything that a wall must refuse, then leaves what it can for a next run
//   look       looks for what `try` left
//   memory     touches `mib` MiB and says "filled"; waits then to be ended
//   processes  starts children until it may not, 64 at most, and says how many

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH = 4096, IPC_ID = 0x5a5b, CHILDREN_MAX = 64, INTERFACES_MAX = 64, LEFT_S = 5 };
enum { NR_fsopen = 430 }; // the build host's headers may not have it yet

static int given_count;
static char **given_values;

// The value of an argument NAME=VALUE; null if it was not given.
static const char *given(const char *name)
{
	const size_t length = strlen(name);
	for (int i = 0; i < given_count; i++)
		if (strncmp(given_values[i], name, length) == 0 && given_values[i][length] == '=')
			return given_values[i] + length + 1;
	return NULL;
}

static char what[PATH + 256]; // an attempt's own words

__attribute__((format(printf, 1, 2))) static bool found(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(what, sizeof what, format, list);
	va_end(list);
	return true;
}

static bool errno_is_kept(void)
{
	snprintf(what, sizeof what, "%s", strerror(errno));
	return false;
}

// --- the network ---------------------------------------------------------------------------------------

// A connection that succeeds, or a datagram that is only said to be sent: that it arrives is for the host to see.
static bool send_to(const struct sockaddr *address, socklen_t length, int type, const void *text, size_t size)
{
	const int fd = socket(address->sa_family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno_is_kept();
	const bool reached = connect(fd, address, length) == 0;
	if (!reached)
		errno_is_kept();
	const bool sent = reached && write(fd, text, size) == (ssize_t)size;
	close(fd);
	if (type == SOCK_DGRAM) {
		if (sent)
			snprintf(what, sizeof what, "sent");
		return false;
	}
	return reached && found("connected");
}

static bool send_token(const struct sockaddr *address, socklen_t length, int type)
{
	const char *token = given("token");
	return send_to(address, length, type, token, strlen(token));
}

static bool over_four(int type, const char *port)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(port)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	return send_token((const struct sockaddr *)&address, sizeof address, type);
}

static bool over_six(int type, const char *port)
{
	const struct sockaddr_in6 address = {
		.sin6_family = AF_INET6,
		.sin6_port = htons((uint16_t)atoi(port)),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	return send_token((const struct sockaddr *)&address, sizeof address, type);
}

static bool tcp4(void) { return over_four(SOCK_STREAM, given("tcp4")); }
static bool udp4(void) { return over_four(SOCK_DGRAM, given("udp4")); }
static bool tcp6(void) { return over_six(SOCK_STREAM, given("tcp6")); }
static bool udp6(void) { return over_six(SOCK_DGRAM, given("udp6")); }

// A question for the address of TOKEN (RFC 1035, 4.1), as a resolver asks it.
static bool dns(void)
{
	const char *token = given("token");
	const size_t length = strlen(token);
	uint8_t question[300] = { 0x5a, 0x5a, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0 };
	uint8_t *at = question + 12;
	*at++ = (uint8_t)length;
	memcpy(at, token, length);
	at += length + 1;
	memcpy(at, (const uint8_t[]){ 0, 1, 0, 1 }, 4);
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons((uint16_t)atoi(given("dns"))),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	return send_to((const struct sockaddr *)&address, sizeof address, SOCK_DGRAM, question,
		       (size_t)(at + 4 - question));
}

static struct sockaddr_un abstract_name(const char *name, socklen_t *length)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "%s", name);
	*length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
	return address;
}

static bool abstract(void)
{
	socklen_t length;
	const struct sockaddr_un address = abstract_name(given("abstract"), &length);
	return send_token((const struct sockaddr *)&address, length, SOCK_STREAM);
}

static bool interfaces(void)
{
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errno_is_kept();
	bool other = false;
	for (int i = 1; i <= INTERFACES_MAX && !other; i++) {
		struct ifreq interface = { .ifr_ifindex = i };
		other = ioctl(fd, SIOCGIFNAME, &interface) == 0 && strcmp(interface.ifr_name, "lo") != 0 &&
			found("%s", interface.ifr_name);
	}
	close(fd);
	return other;
}

static bool raw_socket(void) { return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP) >= 0 || errno_is_kept(); }
static bool packet_socket(void) { return socket(AF_PACKET, SOCK_RAW, 0) >= 0 || errno_is_kept(); }
static bool netlink_socket(void) { return socket(AF_NETLINK, SOCK_RAW, 0) >= 0 || errno_is_kept(); }
static bool vsock_socket(void) { return socket(AF_VSOCK, SOCK_STREAM, 0) >= 0 || errno_is_kept(); }

// --- processes and the kernel --------------------------------------------------------------------------

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
	errno = WEXITSTATUS(status);
	return (WIFEXITED(status) && errno == 0) || errno_is_kept();
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

// --- files ---------------------------------------------------------------------------------------------

static bool holds_token(int at, const char *path)
{
	char text[256] = "";
	const int fd = openat(at, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno_is_kept();
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return n > 0 && strstr(text, given("token")) && found("%s", path);
}

// The host's file by its own name, from the root of the first process, and by climbing.
static bool host_file(void)
{
	const char *path = given("hidden");
	char other[PATH];
	if (holds_token(AT_FDCWD, path))
		return true;
	snprintf(other, sizeof other, "/proc/1/root%s", path);
	if (holds_token(AT_FDCWD, other))
		return true;
	snprintf(other, sizeof other, "../../../../../../../..%s", path);
	return holds_token(AT_FDCWD, other);
}

// What the service shows to this jail read-only. It must be there: else nothing of this was tried.
static bool shown_folder(void)
{
	char file[PATH], other[PATH];
	const char *folder = given("shown");
	snprintf(file, sizeof file, "%s/file", folder);
	snprintf(other, sizeof other, "%s/other", folder);
	if (!holds_token(AT_FDCWD, file))
		return found("%s is not there to try: %s", file, strerror(errno));
	if (open(file, O_WRONLY | O_TRUNC) >= 0 || truncate(file, 0) == 0)
		return found("%s was written", file);
	if (open(other, O_CREAT | O_WRONLY, 0600) >= 0)
		return found("%s was made", other);
	if (rename(file, other) == 0 || unlink(file) == 0)
		return found("%s was taken away", file);
	return chmod(file, 0777) == 0 ? found("the mode of %s was changed", file) : errno_is_kept();
}

static bool made_below(const char *folder)
{
	char path[PATH];
	snprintf(path, sizeof path, "%s/wall-probe-made", folder);
	const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno_is_kept();
	close(fd);
	unlink(path);
	return found("%s", path);
}

// Folders of the root, but for those that are the run's own.
static bool write_root(void)
{
	static const char *const own[] = { "work", "tmp", "." , ".." };
	DIR *folder = opendir("/");
	if (!folder)
		return errno_is_kept();
	bool open = made_below("");
	for (struct dirent *entry; !open && (entry = readdir(folder));) {
		bool is_own = false;
		for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
			is_own |= strcmp(entry->d_name, own[i]) == 0;
		char path[PATH];
		snprintf(path, sizeof path, "/%s", entry->d_name);
		open = !is_own && made_below(path);
	}
	closedir(folder);
	if (!open && access("/etc/passwd", W_OK) == 0)
		return found("/etc/passwd");
	return open;
}

// To what it is already.
static bool host_name(void)
{
	char name[256] = "";
	gethostname(name, sizeof name - 1);
	return sethostname(name, strlen(name)) == 0 || errno_is_kept();
}

// Exactly what it was given, and nobody else's.
static bool environment(void)
{
	extern char **environ;
	for (char **entry = environ; *entry; entry++)
		if (strncmp(*entry, "TOKEN=", 6) != 0)
			return found("%.*s", (int)strcspn(*entry, "="), *entry);
	const int fd = open("/proc/1/environ", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno_is_kept();
	char text[256] = "";
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	return n > 0 && found("of the first process: %.*s", (int)strcspn(text, "="), text);
}

// --- what is left --------------------------------------------------------------------------------------

static const char *const writable[] = { "/work", "/tmp", "/dev/shm", "/var/tmp", "/run", "/run/lock" };

static struct sockaddr_un left_name(socklen_t *length) { return abstract_name("wall-probe-left", length); }

// A child that outlives this run if it can, with a name to be reached by.
static void leave_daemon(void)
{
	if (fork() != 0)
		return;
	setsid();
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	socklen_t length;
	const struct sockaddr_un address = left_name(&length);
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0 && bind(fd, (const struct sockaddr *)&address, length) == 0)
		listen(fd, 1);
	alarm(LEFT_S);
	for (;;)
		pause();
}

static void leave(void)
{
	for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
		char path[PATH];
		snprintf(path, sizeof path, "%s/wall-probe-left", writable[i]);
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
	}
	shmget(IPC_ID, 4096, IPC_CREAT | 0666);
	semget(IPC_ID, 1, IPC_CREAT | 0666);
	msgget(IPC_ID, IPC_CREAT | 0666);
	syscall(SYS_mq_open, "wall-probe-left", O_CREAT | O_RDWR, 0666, NULL);
	leave_daemon();
}

static bool left_files(void)
{
	bool left = false;
	for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
		char path[PATH];
		snprintf(path, sizeof path, "%s/wall-probe-left", writable[i]);
		if (access(path, F_OK) == 0)
			left = found("%s", path);
		unlink(path);
	}
	return left;
}

static bool left_objects(void)
{
	bool left = false; // the same user made them, so they can be removed
	const int memory = shmget(IPC_ID, 4096, 0), semaphore = semget(IPC_ID, 1, 0), queue = msgget(IPC_ID, 0);
	if (memory >= 0 && shmctl(memory, IPC_RMID, NULL) == 0)
		left = found("shared memory");
	if (semaphore >= 0 && semctl(semaphore, 0, IPC_RMID) == 0)
		left = found("a semaphore");
	if (queue >= 0 && msgctl(queue, IPC_RMID, NULL) == 0)
		left = found("a message queue");
	if (syscall(SYS_mq_unlink, "wall-probe-left") == 0)
		left = found("a POSIX message queue");
	return left;
}

static bool left_processes(void)
{
	socklen_t length;
	const struct sockaddr_un address = left_name(&length);
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	return fd >= 0 && connect(fd, (const struct sockaddr *)&address, length) == 0 && found("it answers");
}

// --- the modes -----------------------------------------------------------------------------------------

struct attempt {
	const char *name;
	bool (*is_open)(void);
	const char *needs; // an argument without which it is left out
};

static const struct attempt attempts[] = {
	{ "tcp4", tcp4, "tcp4" },
	{ "udp4", udp4, "udp4" },
	{ "dns", dns, "dns" },
	{ "tcp6", tcp6, "tcp6" },
	{ "udp6", udp6, "udp6" },
	{ "abstract", abstract, "abstract" },
	{ "interfaces", interfaces, NULL },
	{ "raw_socket", raw_socket, NULL },
	{ "packet_socket", packet_socket, NULL },
	{ "netlink_socket", netlink_socket, NULL },
	{ "vsock_socket", vsock_socket, NULL },
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
	{ "host_name", host_name, NULL },
	{ "host_file", host_file, "hidden" },
	{ "shown_folder", shown_folder, "shown" },
	{ "write_root", write_root, NULL },
	{ "environment", environment, NULL },
};

static const struct attempt looks[] = {
	{ "left_files", left_files, NULL },
	{ "left_objects", left_objects, NULL },
	{ "left_processes", left_processes, NULL },
};

static void report(const struct attempt *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].needs && !given(list[i].needs))
			continue;
		what[0] = 0;
		const bool is_open = list[i].is_open();
		printf("%s %s %s\n", list[i].name, is_open ? "open" : "refused", what);
		// What comes next may end this process.
		fflush(stdout);
	}
}

static void fill(void)
{
	const int mib = atoi(given("mib"));
	for (int i = 0; i < mib; i++) {
		char *piece = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (piece == MAP_FAILED) {
			puts("memory refused");
			return;
		}
		memset(piece, 1, 1 << 20);
		// Room for those walls that look at what is held.
		usleep(500);
	}
	puts("filled");
	fflush(stdout);
	for (;;)
		pause();
}

static void multiply(void)
{
	int count = 0;
	while (count < CHILDREN_MAX) {
		const pid_t child = fork();
		if (child < 0)
			break;
		if (child == 0)
			for (;;)
				pause();
		count++;
	}
	printf("children %d\n", count);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	given_count = argc > 2 ? argc - 2 : 0;
	given_values = argv + 2;
	if (strcmp(mode, "try") == 0) {
		report(attempts, sizeof attempts / sizeof attempts[0]);
		leave();
	} else if (strcmp(mode, "look") == 0) {
		report(looks, sizeof looks / sizeof looks[0]);
	} else if (strcmp(mode, "memory") == 0) {
		fill();
	} else if (strcmp(mode, "processes") == 0) {
		multiply();
	} else {
		fputs("usage: wall-probe try|look|memory|processes NAME=VALUE…\n", stderr);
		return 2;
	}
	return 0;
}
