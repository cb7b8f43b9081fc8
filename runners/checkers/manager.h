/*
 * Gives a CMS manager what it expects: its input on standard input, two FIFOs to talk with the program, and a standard
 * output for the outcome alone. The jail has one pipe each way instead, so before main two children copy between these
 * and the FIFOs. Included before the manager's own text, in C and in C++; runs in a jail of the problem's author.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t assay_to_program;

static void assay_fail(const char *what)
{
	perror(what);
	_exit(125);
}

static void assay_copy(int from, int to)
{
	static char buffer[65536];
	for (;;) {
		ssize_t got = read(from, buffer, sizeof buffer);
		if (got <= 0)
			_exit(0);
		for (ssize_t at = 0; at < got;) {
			ssize_t put = write(to, buffer + at, (size_t)(got - at));
			if (put <= 0)
				_exit(0);
			at += put;
		}
	}
}

/* What the manager wrote last reaches the program before the manager ends. */
static void assay_leave(void)
{
	fflush(NULL);
	for (int fd = 3; fd < 256; fd++)
		close(fd);
	waitpid(assay_to_program, NULL, 0);
}

static void assay_put(const char *path, int flags, int fd)
{
	int opened = open(path, flags, 0600);
	if (opened < 0 || dup2(opened, fd) < 0)
		assay_fail(path);
	close(opened);
}

__attribute__((constructor(101))) static void assay_join(int argc, char **argv)
{
	if (argc < 3)
		assay_fail("arguments");
	int in = dup(0);
	int out = dup(1);
	if (in < 0 || out < 0 || mkfifo(argv[1], 0600) != 0 || mkfifo(argv[2], 0600) != 0)
		assay_fail("mkfifo");
	pid_t from_program = fork();
	if (from_program < 0)
		assay_fail("fork");
	if (from_program == 0) {
		close(out);
		int to = open(argv[1], O_WRONLY);
		if (to < 0)
			assay_fail(argv[1]);
		assay_copy(in, to);
	}
	assay_to_program = fork();
	if (assay_to_program < 0)
		assay_fail("fork");
	if (assay_to_program == 0) {
		close(in);
		int from = open(argv[2], O_RDONLY);
		if (from < 0)
			assay_fail(argv[2]);
		assay_copy(from, out);
	}
	close(in);
	close(out);
	assay_put("case/input.txt", O_RDONLY, 0);
	assay_put("case/outcome.txt", O_WRONLY | O_CREAT | O_TRUNC, 1);
	atexit(assay_leave);
}
