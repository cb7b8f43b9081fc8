// Programs for the tests of the supervisor, one per name in argv[1]. Each states what it does; what must come of
// it is in test_supervisor.py. Static, so that it runs in any jail.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef BIG // a program of its own, because its size counts for every limit
static char big_static[128 << 20];
#endif

static void touch(volatile char *p, size_t n)
{
	for (size_t i = 0; i < n; i += 4096)
		p[i] = 1;
}

static void spin(void)
{
	for (volatile unsigned long i = 0;; i++)
		;
}

static void write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t w = write(fd, p, n);
		if (w <= 0)
			exit(3);
		p += w;
		n -= (size_t)w;
	}
}

static void output(size_t n) // n bytes of a fixed pattern
{
	static char chunk[65536];
	for (size_t i = 0; i < sizeof chunk; i++)
		chunk[i] = (char)(i * 7 + (i >> 8));
	while (n) {
		size_t c = n < sizeof chunk ? n : sizeof chunk;
		write_all(1, chunk, c);
		n -= c;
	}
}

static void *thread_main(void *x)
{
	return x;
}

// Prints one line per call that was not refused.
static void expect(const char *what, long r, int wanted)
{
	if (r != -1 || errno != wanted)
		printf("%s: %ld errno %d, wanted %d\n", what, r, r == -1 ? errno : 0, wanted);
}

static void seccomp(void)
{
	struct clone_args a = { .exit_signal = SIGCHLD };
	expect("clone3", syscall(SYS_clone3, &a, sizeof a), ENOSYS);
	expect("clone newuser", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), EPERM);
	expect("unshare", unshare(CLONE_NEWUSER), EPERM);
	expect("setns", setns(0, 0), EPERM);
	expect("mount", mount("x", "/tmp", "tmpfs", 0, ""), EPERM);
	expect("fsopen", syscall(430, "tmpfs", 0), EPERM);
	expect("open_tree", syscall(428, 0, "/", 0), EPERM);
	expect("mount_setattr", syscall(442, 0, "/", 0, 0, 0), EPERM);
	expect("chroot", chroot("/tmp"), EPERM);
	expect("ptrace", ptrace(PTRACE_TRACEME, 0, 0, 0), EPERM);
	expect("process_vm_readv", syscall(SYS_process_vm_readv, getpid(), 0, 0, 0, 0, 0), EPERM);
	expect("kcmp", syscall(SYS_kcmp, 0, 0, 0, 0, 0), EPERM);
	expect("keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0), EPERM);
	expect("add_key", syscall(SYS_add_key, "user", "a", "b", 1, -3), EPERM);
	expect("bpf", syscall(SYS_bpf, 0, 0, 0), EPERM);
	expect("perf", syscall(SYS_perf_event_open, 0, 0, 0, 0, 0), EPERM);
	expect("userfaultfd", syscall(SYS_userfaultfd, 0), EPERM);
	expect("io_uring", syscall(SYS_io_uring_setup, 1, 0), EPERM);
	expect("memfd_secret", syscall(447, 0), EPERM);
	expect("syslog", syscall(SYS_syslog, 2, 0, 0), EPERM);
	expect("handle", syscall(SYS_open_by_handle_at, 0, 0, 0), EPERM);
	expect("affinity", syscall(SYS_sched_setaffinity, 0, 0, 0), EPERM);
	expect("scheduler", syscall(SYS_sched_setscheduler, 0, 0, 0), EPERM);
	expect("personality", personality(READ_IMPLIES_EXEC), EPERM);
	expect("future", syscall(500), ENOSYS);
	expect("netlink", socket(AF_NETLINK, SOCK_RAW, 0), EAFNOSUPPORT);
	expect("vsock", socket(40, SOCK_STREAM, 0), EAFNOSUPPORT);
	expect("alg", socket(38, SOCK_SEQPACKET, 0), EAFNOSUPPORT);
	expect("packet", socket(AF_PACKET, SOCK_DGRAM, 0), EAFNOSUPPORT);
	expect("raw", socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, 1), EPERM);
	expect("tiocsti", ioctl(0, TIOCSTI, "a"), EPERM);
	close(open("/tmp/s", O_CREAT | O_WRONLY, 0644));
	expect("set-uid", chmod("/tmp/s", 04755), EPERM);
	expect("set-gid", fchmodat(AT_FDCWD, "/tmp/s", 02755, 0), EPERM);
	expect("nice", setpriority(PRIO_PROCESS, 0, -5), EACCES);
	expect("oom score", open("/proc/self/oom_score_adj", O_WRONLY), EROFS);
	expect("init's fds", open("/proc/1/fd", O_RDONLY), ENOENT);
	expect("kill init", kill(1, SIGKILL), EPERM);
	expect("root is read-only", mkdir("/x", 0755), EROFS);
	if (socket(AF_UNIX, SOCK_STREAM, 0) < 0 || socket(AF_INET, SOCK_STREAM, 0) < 0 || personality(0xffffffff) < 0)
		puts("an honest call was refused");
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0 || chmod("/tmp/s", 0755) < 0)
		puts("an honest call was refused");
	pthread_t t;
	if (pthread_create(&t, NULL, thread_main, NULL) || pthread_join(t, NULL))
		puts("no threads");
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	size_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
#define IS(x) if (!strcmp(name, x))
	IS("exit")
		return (int)n;
	IS("output")
		return output(n), 0;
	IS("stderr")
		return dup2(2, 1), output(n), 0;
	IS("both")
	{
		pid_t p = fork();
		if (p == 0)
			dup2(2, 1);
		output(n);
		if (p)
			wait(NULL);
		return 0;
	}
	IS("cat")
	{
		static char b[65536];
		for (ssize_t r; (r = read(0, b, sizeof b)) > 0;)
			write_all(1, b, (size_t)r);
		return 0;
	}
	IS("echo-signal")
	{
		sigset_t all;
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		write_all(1, "ready\n", 6);
		int got = sigwaitinfo(&all, NULL);
		printf("signal %d\n", got);
		return 0;
	}
	IS("sleep")
		return usleep((useconds_t)n * 1000), 0;
	IS("spin")
		spin();
	IS("system")
		for (;;)
			syscall(SYS_getppid);
	IS("grandchild")
	{
		if (fork() == 0) {
			if (fork() == 0)
				spin();
			pause();
		}
		pause();
	}
	IS("ignored-children") // their CPU time is in nobody's rusage
	{
		signal(SIGCHLD, SIG_IGN);
		for (;;) {
			pid_t p = fork();
			if (p == 0) {
				for (volatile long i = 0; i < 30000000; i++)
					;
				_exit(0);
			}
			waitpid(p, NULL, 0);
		}
	}
	IS("fork-bomb")
		for (;;)
			fork();
	IS("kill-all")
	{
		kill(-1, SIGKILL);
		puts("alive");
		fflush(stdout);
		raise(SIGKILL);
	}
	IS("abort")
		abort();
	IS("segv")
		raise(SIGSEGV);
	IS("stop")
		raise(SIGSTOP), pause();
	IS("ignore")
	{
		for (int s = 1; s < 65; s++)
			signal(s, SIG_IGN);
		for (;;)
			pause();
	}
	IS("daemon") // keeps every descriptor open
	{
		if (fork() == 0) {
			setsid();
			if (fork() == 0)
				for (;;)
					pause();
			_exit(0);
		}
		wait(NULL);
		puts("done");
		return 0;
	}
	IS("heap")
		for (;;)
			touch(malloc(1 << 20), 1 << 20);
#ifdef BIG
	IS("static")
		return touch(big_static, sizeof big_static), 0;
#endif
	IS("use") // n MiB, well-behaved
		return touch(malloc(n << 20), n << 20), 0;
	IS("oom-child") // the parent says all is well
	{
		if (fork() == 0)
			for (;;)
				touch(malloc(1 << 20), 1 << 20);
		wait(NULL);
		puts("fine");
		return 0;
	}
	IS("tmpfs")
	{
		static char b[1 << 20];
		int fd = open("/tmp/f", O_CREAT | O_WRONLY, 0600);
		for (;;)
			if (write(fd, b, sizeof b) < 0)
				return printf("%s\n", strerror(errno)), 0;
	}
	IS("memfd")
	{
		static char b[1 << 20];
		int fd = memfd_create("x", 0);
		for (;;)
			if (write(fd, b, sizeof b) < 0)
				return printf("%s\n", strerror(errno)), 0;
	}
	IS("close-stdout")
	{
		puts("first");
		fclose(stdout);
		close(2);
		usleep(50000);
		return 5;
	}
	IS("fds")
	{
		int i = 0;
		while (open("/dev/null", O_RDONLY) >= 0)
			i++;
		return printf("%d %d\n", i, errno == EMFILE), 0;
	}
	IS("inodes")
	{
		char p[64];
		for (int i = 0;; i++) {
			snprintf(p, sizeof p, "/work/%d", i);
			int fd = open(p, O_CREAT | O_WRONLY, 0600);
			if (fd < 0)
				return printf("%s\n", strerror(errno)), 0;
			close(fd);
		}
	}
	IS("collect") // good, link to good, fifo, directory link, large
	{
		int fd = open("good", O_CREAT | O_WRONLY, 0755);
		write_all(fd, "content", 7);
		if (symlink("good", "link") || symlink("/etc", "dir") || mkfifo("fifo", 0666) || mkdir("real", 0755) ||
		    truncate("good", 7) || symlink("/proc/1/root/etc/shadow", "real/secret"))
			return 1;
		fd = open("large", O_CREAT | O_WRONLY, 0644);
		return ftruncate(fd, 1 << 30) && errno != EFBIG;
	}
	IS("reopen") // the standard streams by name
	{
		char line[64] = "";
		FILE *in = fopen("/dev/stdin", "r"), *out = fopen("/dev/stdout", "w"), *err = fopen("/proc/self/fd/2", "w");
		if (!in || !out || !err || !fgets(line, sizeof line, in))
			return 1;
		return fputs(line, out) < 0 || fputs("e", err) < 0;
	}
	IS("descriptors")
	{
		for (int fd = 0; fd < 1024; fd++)
			if (fcntl(fd, F_GETFD) >= 0)
				printf("%d ", fd);
		return 0;
	}
	IS("leave-shm") // n MiB freed, then n MiB that the kernel frees some time after the run
	{
		size_t bytes = n << 20;
		char *first = malloc(bytes);
		memset(first, 1, bytes);
		free(first);
		memset(shmat(shmget(IPC_PRIVATE, bytes, 0600 | IPC_CREAT), NULL, 0), 1, bytes);
		return 0;
	}
	IS("leave-sockets") // a listening name, kept by sockets in flight that only hold each other
	{
		struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "\0left" };
		int bound = socket(AF_UNIX, SOCK_STREAM, 0), pair[2];
		if (bind(bound, (struct sockaddr *)&name, sizeof name) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
			return 1;
		union {
			struct cmsghdr head;
			char bytes[CMSG_SPACE(3 * sizeof(int))];
		} control = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(3 * sizeof(int)) } };
		memcpy(CMSG_DATA(&control.head), (int[]){ pair[0], pair[1], bound }, 3 * sizeof(int));
		struct iovec data = { "x", 1 };
		struct msghdr m = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
		return sendmsg(pair[0], &m, 0) != 1;
	}
	IS("seccomp")
		return seccomp(), 0;
#ifdef __x86_64__
	IS("x32")
		return (int)syscall(0x40000000 | SYS_getpid);
	IS("i386")
	{
		int r;
		__asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory");
		return r > 0;
	}
#endif
	IS("cpu") // burns about n ms and ends well
	{
		struct timespec t;
		do
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		while ((size_t)t.tv_sec * 1000 + (size_t)t.tv_nsec / 1000000 < n);
		return 0;
	}
	IS("affinity")
		return printf("%d\n", sched_getcpu()), 0;
	return 99;
}
