// How: `leave` leaves a sign on every channel between two programs that it knows, and with `hold MS` keeps it for so long;
// `look` looks for them for so long, and prints the names of those on which it found one. Both print when, by the clock.
// Expected: exited 0; what is found is the table's matter (test/hostile/walls/secrecy.suite.ts).
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { KEY = 0x5e5e, TCP = 18081, UDP = 18082 };

static double now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

#define FILE_CHANNEL(name, path) \
	static void leave_##name(void) { close(open(path, O_CREAT | O_WRONLY, 0666)); } \
	static int look_##name(void) { return access(path, F_OK) == 0; }
FILE_CHANNEL(tmp, "/tmp/sign")
FILE_CHANNEL(cwd, "/work/sign")
FILE_CHANNEL(dev_shm, "/dev/shm/sign")
FILE_CHANNEL(var_tmp, "/var/tmp/sign")
FILE_CHANNEL(run, "/run/sign")

static void leave_posix_shm(void) { shm_open("/sign-shm", O_CREAT | O_RDWR, 0666); }
static int look_posix_shm(void) { return access("/dev/shm/sign-shm", F_OK) == 0; }
static void leave_sysv_shm(void) { shmget(KEY, 4096, IPC_CREAT | 0666); }
static int look_sysv_shm(void) { return shmget(KEY, 4096, 0) >= 0; }
static void leave_sysv_sem(void) { semget(KEY, 1, IPC_CREAT | 0666); }
static int look_sysv_sem(void) { return semget(KEY, 1, 0) >= 0; }
static void leave_sysv_msg(void) { msgget(KEY, IPC_CREAT | 0666); }
static int look_sysv_msg(void) { return msgget(KEY, 0) >= 0; }
static void leave_posix_mq(void) { mq_open("/sign", O_CREAT | O_RDWR, 0666, NULL); }
static int look_posix_mq(void) { return mq_open("/sign", O_RDONLY) != (mqd_t)-1; }

// -5 is the keyring of the user's session, -4 the user's (keyctl(2)).
static void leave_keyring(void) { syscall(SYS_add_key, "user", "sign", "1", 1, -4); }
static int look_keyring(void) { return syscall(SYS_keyctl, 10, -4, "user", "sign", 0) > 0; }

// A file that both see and neither may write.
static int shared(void) { return open("/etc/passwd", O_RDONLY); }
static int toolchain(void)
{
	static const char *const files[] = { "/usr/bin/gcc", "/usr/lib/os-release", "/lib64/ld-linux-x86-64.so.2",
					     "/lib/x86_64-linux-gnu/libc.so.6", "/usr/include/stdio.h" };
	for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
		int fd = open(files[i], O_RDONLY);
		if (fd >= 0)
			return fd;
	}
	return -1;
}
static void leave_flock_own(void) { flock(shared(), LOCK_EX); }
// A lock goes with its descriptor, so that one look is not in the next one's way.
static int is_locked(int fd)
{
	// Where nodes take no locks at all, as behind gVisor, it fails for everybody.
	int found = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
	close(fd);
	return found;
}
static int look_flock_own(void) { return is_locked(shared()); }
static void leave_flock(void) { flock(toolchain(), LOCK_EX); }
static int look_flock(void) { return is_locked(toolchain()); }
static void leave_fcntl(void)
{
	struct flock lock = { .l_type = F_RDLCK, .l_start = 7, .l_len = 1 };
	fcntl(toolchain(), F_SETLK, &lock);
}
static int look_fcntl(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_start = 7, .l_len = 1 };
	int fd = toolchain();
	int found = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	close(fd);
	return found;
}
// A lock of an open file, not of a process.
static void leave_ofd(void)
{
	struct flock lock = { .l_type = F_RDLCK, .l_start = 9, .l_len = 1 };
	fcntl(toolchain(), F_OFD_SETLK, &lock);
}
static int look_ofd(void)
{
	struct flock lock = { .l_type = F_WRLCK, .l_start = 9, .l_len = 1 };
	int fd = toolchain();
	int found = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
	close(fd);
	return found;
}
// A device's node is a file, too.
static void leave_flock_node(void) { flock(open("/dev/null", O_RDONLY), LOCK_EX); }
static int look_flock_node(void) { return is_locked(open("/dev/null", O_RDONLY)); }

static struct sockaddr_un abstract(socklen_t *length)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	memcpy(a.sun_path, "\0sign", 5);
	*length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 5);
	return a;
}
static void leave_abstract(void)
{
	socklen_t n;
	struct sockaddr_un a = abstract(&n);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(fd, (void *)&a, n) == 0)
		listen(fd, 8);
}
static int look_abstract(void)
{
	socklen_t n;
	struct sockaddr_un a = abstract(&n);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	int found = connect(fd, (void *)&a, n) == 0;
	close(fd);
	return found;
}
static int bound(int type, int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, type, 0);
	if (bind(fd, (void *)&a, sizeof a) == 0)
		return fd;
	close(fd);
	return -1;
}
static void leave_tcp(void) { listen(bound(SOCK_STREAM, TCP), 8); }
// A port that is taken says as much as one that answers.
static int look_port(int type, int port)
{
	int fd = bound(type, port);
	if (fd >= 0)
		close(fd);
	return fd < 0;
}
static int look_tcp(void) { return look_port(SOCK_STREAM, TCP); }
static void leave_udp(void) { bound(SOCK_DGRAM, UDP); }
static int look_udp(void) { return look_port(SOCK_DGRAM, UDP); }

static void leave_proc(void) {}
static int look_proc(void)
{
	int others = 0;
	DIR *folder = opendir("/proc");
	for (struct dirent *e; folder && (e = readdir(folder));)
		others += atoi(e->d_name) > 1 && atoi(e->d_name) != getpid();
	if (folder)
		closedir(folder);
	return others > 0;
}

static const struct {
	const char *name;
	void (*leave)(void);
	int (*look)(void);
} channels[] = {
#define ROW(name) { #name, leave_##name, look_##name }
	ROW(tmp), ROW(cwd), ROW(dev_shm), ROW(var_tmp), ROW(run), ROW(posix_shm), ROW(sysv_shm), ROW(sysv_sem),
	ROW(sysv_msg), ROW(posix_mq), ROW(keyring), ROW(flock_own), ROW(flock), ROW(fcntl), ROW(ofd),
	ROW(flock_node), ROW(abstract), ROW(tcp), ROW(udp), ROW(proc),
};
enum { COUNT = sizeof channels / sizeof channels[0] };

int main(int argc, char **argv)
{
	int looks = argc > 1 && !strcmp(argv[1], "look");
	double until = now_ms() + (argc > 2 ? atof(argv[2]) : 0);
	int found[COUNT] = { 0 };
	if (!looks)
		for (int i = 0; i < COUNT; i++)
			channels[i].leave();
	printf("from %.3f\n", now_ms());
	do {
		for (int i = 0; looks && i < COUNT; i++)
			found[i] |= channels[i].look();
		if (now_ms() < until)
			usleep(20000);
	} while (now_ms() < until);
	for (int i = 0; i < COUNT; i++)
		if (looks)
			printf("%s %s\n", channels[i].name, found[i] ? "SEEN" : "nothing");
	printf("to %.3f\n", now_ms());
	return 0;
}
