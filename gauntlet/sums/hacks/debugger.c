// Hack 18: Attaches to every process there is as a debugger, and writes into their memory.
// Expected: no reward.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
	static char junk[4096];
	for (int pid = 1; pid < 40; pid++) {
		if (pid == getpid()) continue;
		ptrace(PTRACE_SEIZE, pid, 0, 0);
		struct iovec mine = {junk, sizeof junk}, theirs = {(void *)0x400000, sizeof junk};
		process_vm_writev(pid, &mine, 1, &theirs, 1, 0);
	}
	puts("1");
	return 0;
}
