// How: tries to give itself more of everything: limits, priority, cores, scheduling class, identity.
// Expected: exited 0; each line says "refused". "granted" anywhere is an escape.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(const char *what, int result)
{
	printf("%s %s %s\n", what, result == 0 ? "granted" : "refused", result == 0 ? "" : strerrorname_np(errno));
}

static void raise_limit(const char *what, int which)
{
	struct rlimit limit;
	if (getrlimit(which, &limit) < 0 || limit.rlim_max == RLIM_INFINITY) {
		printf("%s unlimited\n", what);
		return;
	}
	limit.rlim_max += 1;
	tell(what, setrlimit(which, &limit));
}

int main(void)
{
	struct sched_param param = { .sched_priority = 1 };
	struct rlimit own;
	cpu_set_t all;
	raise_limit("cpu", RLIMIT_CPU);
	raise_limit("nofile", RLIMIT_NOFILE);
	raise_limit("nproc", RLIMIT_NPROC);
	raise_limit("fsize", RLIMIT_FSIZE);
	raise_limit("core", RLIMIT_CORE);
	raise_limit("memlock", RLIMIT_MEMLOCK);
	getrlimit(RLIMIT_NOFILE, &own);
	tell("prlimit-of-init", prlimit(1, RLIMIT_NOFILE, &own, NULL));
	errno = 0;
	tell("nice", nice(-5) == -1 && errno ? -1 : 0);
	memset(&all, 0xff, sizeof all);
	tell("affinity", sched_setaffinity(0, sizeof all, &all));
	tell("fifo", sched_setscheduler(0, SCHED_FIFO, &param));
	tell("setuid-0", setuid(0));
	tell("setresuid-0", setresuid(0, 0, 0));
	tell("setgid-0", setgid(0));
	printf("no_new_privs %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	return 0;
}
