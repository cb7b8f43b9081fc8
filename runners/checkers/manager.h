/*
 * Gives a CMS manager what it expects: its input on standard input, two FIFOs for each process of the program that it
 * talks with, and a standard output for the outcome alone. The jail has one pipe each way instead, so before main children
 * carry bytes between these and the FIFOs. Included before the manager's own text, in C and in C++; runs in a jail of the
 * problem's author. ASSAY_PROCESSES says how many processes there are, if more than one.
 */
#ifndef ASSAY_PROCESSES
#define ASSAY_PROCESSES 1
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t assay_carrier;

static void assay_fail(const char *what)
{
	perror(what);
	_exit(125);
}

#if ASSAY_PROCESSES == 1
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

static void assay_start(int argc, char **argv, int in, int out)
{
	if (argc < 3 || mkfifo(argv[1], 0600) != 0 || mkfifo(argv[2], 0600) != 0)
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
	assay_carrier = fork();
	if (assay_carrier < 0)
		assay_fail("fork");
	if (assay_carrier == 0) {
		close(in);
		int from = open(argv[2], O_RDONLY);
		if (from < 0)
			assay_fail(argv[2]);
		assay_copy(from, out);
	}
}
#else
/*
 * Several processes share the two pipes: frames of channel, kind and length (u8, u8, u16 little-endian), data after those
 * of the kind DATA (src/judge/crowd/frames.ts). Neither side sends more of a channel than the other has said that it has
 * taken (CREDIT), a window at first: so each end always reads, and a process that does not read, or whose words the
 * manager does not read, holds up nobody but itself.
 */
enum { ASSAY_DATA = 0, ASSAY_END = 1, ASSAY_CREDIT = 2 };
enum { ASSAY_WINDOW = 32768, ASSAY_HEADER = 4 };
enum { ASSAY_LAST_WORDS_MS = 1000, ASSAY_OPENING_MS = 2 };

struct assay_channel {
	const char *to_path;
	/* The FIFO that the manager reads: -1 before it does, -2 afterwards. */
	int to;
	/* The FIFO that the manager writes; -1 when it is over. */
	int from;
	/* The program's words that the manager has not taken. */
	unsigned char held[ASSAY_WINDOW];
	size_t at, count;
	int has_ended;
	/* What the program's side has room for. */
	size_t credit;
};

static struct assay_channel assay_channels[ASSAY_PROCESSES];
static unsigned char assay_piece[ASSAY_HEADER + ASSAY_WINDOW];

static int assay_read_all(int fd, unsigned char *to, size_t count)
{
	for (size_t at = 0; at < count;) {
		ssize_t got = read(fd, to + at, count - at);
		if (got <= 0)
			return 0;
		at += (size_t)got;
	}
	return 1;
}

/* The data, if any, lie behind the header's place in assay_piece. */
static void assay_send(int fd, int channel, int kind, size_t length)
{
	size_t count = ASSAY_HEADER + (kind == ASSAY_DATA ? length : 0);
	assay_piece[0] = (unsigned char)channel;
	assay_piece[1] = (unsigned char)kind;
	assay_piece[2] = (unsigned char)(length & 255);
	assay_piece[3] = (unsigned char)(length >> 8);
	for (size_t at = 0; at < count;) {
		ssize_t put = write(fd, assay_piece + at, count - at);
		if (put <= 0)
			_exit(0);
		at += (size_t)put;
	}
}

/* One frame of the service. Returns 0 at the end of them. */
static int assay_receive(int in)
{
	unsigned char header[ASSAY_HEADER];
	if (!assay_read_all(in, header, sizeof header) || header[0] >= ASSAY_PROCESSES)
		return 0;
	struct assay_channel *channel = &assay_channels[header[0]];
	size_t length = (size_t)header[2] | (size_t)header[3] << 8;
	if (header[1] == ASSAY_END)
		channel->has_ended = 1;
	if (header[1] == ASSAY_CREDIT)
		channel->credit += length;
	if (header[1] != ASSAY_DATA)
		return 1;
	if (channel->count + length > ASSAY_WINDOW)
		return 0;
	memmove(channel->held, channel->held + channel->at, channel->count);
	channel->at = 0;
	if (!assay_read_all(in, channel->held + channel->count, length))
		return 0;
	channel->count += length;
	return 1;
}

static void assay_close_to(struct assay_channel *channel)
{
	close(channel->to);
	channel->to = -2;
}

/* To the manager. What it reads no more is taken all the same: the program does not wait for nobody. */
static void assay_hand_in(int number, int out)
{
	struct assay_channel *channel = &assay_channels[number];
	/* Without a reader this fails; the manager's own open waits for it. */
	if (channel->to == -1)
		channel->to = open(channel->to_path, O_WRONLY | O_NONBLOCK);
	if (channel->to == -1)
		return;
	if (channel->count > 0) {
		ssize_t put = channel->to < 0 ? -1 : write(channel->to, channel->held + channel->at, channel->count);
		if (put < 0 && channel->to >= 0) {
			if (errno == EAGAIN)
				return;
			assay_close_to(channel);
		}
		size_t taken = put < 0 ? channel->count : (size_t)put;
		channel->at += taken;
		channel->count -= taken;
		assay_send(out, number, ASSAY_CREDIT, taken);
	}
	if (channel->count == 0 && channel->has_ended && channel->to >= 0)
		assay_close_to(channel);
}

/* From the manager. Returns whether there was anything. */
static int assay_hand_out(int number, int out, int is_over)
{
	struct assay_channel *channel = &assay_channels[number];
	if (channel->from < 0 || channel->credit == 0)
		return 0;
	size_t most = ASSAY_WINDOW;
	if (channel->credit < most)
		most = channel->credit;
	ssize_t got = read(channel->from, assay_piece + ASSAY_HEADER, most);
	if (got > 0) {
		channel->credit -= (size_t)got;
		assay_send(out, number, ASSAY_DATA, (size_t)got);
		return 1;
	}
	if (got < 0 || !is_over)
		return 0;
	close(channel->from);
	channel->from = -1;
	assay_send(out, number, ASSAY_END, 0);
	return 0;
}

static void assay_carry(int in, int out, int manager)
{
	struct pollfd fds[2 + 2 * ASSAY_PROCESSES];
	int last_words = ASSAY_LAST_WORDS_MS;
	for (int is_fed = 1, is_over = 0; last_words > 0;) {
		int is_opening = 0;
		fds[0].fd = is_fed ? in : -1;
		fds[1].fd = is_over ? -1 : manager;
		for (int i = 0; i < ASSAY_PROCESSES; i++) {
			struct assay_channel *channel = &assay_channels[i];
			assay_hand_in(i, out);
			fds[2 + 2 * i].fd = channel->count > 0 && channel->to >= 0 ? channel->to : -1;
			fds[3 + 2 * i].fd = channel->credit > 0 ? channel->from : -1;
			fds[2 + 2 * i].events = POLLOUT;
			fds[3 + 2 * i].events = POLLIN;
			is_opening |= channel->to == -1;
		}
		fds[0].events = POLLIN;
		fds[1].events = POLLIN;
		int ready = poll(fds, 2 + 2 * ASSAY_PROCESSES, is_over ? 10 : is_opening ? ASSAY_OPENING_MS : -1);
		if (is_over && ready == 0)
			last_words -= 10;
		if (fds[0].revents && !assay_receive(in)) {
			is_fed = 0;
			for (int i = 0; i < ASSAY_PROCESSES; i++)
				assay_channels[i].has_ended = 1;
		}
		if (fds[1].revents)
			is_over = 1;
		int had = 0, open_ends = 0;
		for (int i = 0; i < ASSAY_PROCESSES; i++) {
			int is_left = is_over || (fds[3 + 2 * i].revents & POLLHUP);
			if (fds[3 + 2 * i].revents || is_over)
				had |= assay_hand_out(i, out, is_left);
			open_ends += assay_channels[i].from >= 0;
		}
		if (is_over && open_ends == 0 && !had)
			break;
	}
	_exit(0);
}

static void assay_start(int argc, char **argv, int in, int out)
{
	int alive[2];
	if (argc < 1 + 2 * ASSAY_PROCESSES || pipe(alive) != 0)
		assay_fail("arguments");
	for (int i = 0; i < ASSAY_PROCESSES; i++) {
		struct assay_channel *channel = &assay_channels[i];
		const char *from_path = argv[2 + 2 * i];
		channel->to_path = argv[1 + 2 * i];
		channel->to = -1;
		channel->credit = ASSAY_WINDOW;
		if (mkfifo(channel->to_path, 0600) != 0 || mkfifo(from_path, 0600) != 0)
			assay_fail("mkfifo");
	}
	assay_carrier = fork();
	if (assay_carrier < 0)
		assay_fail("fork");
	if (assay_carrier > 0) {
		close(alive[0]);
		return;
	}
	close(alive[1]);
	signal(SIGPIPE, SIG_IGN);
	for (int i = 0; i < ASSAY_PROCESSES; i++) {
		assay_channels[i].from = open(argv[2 + 2 * i], O_RDONLY | O_NONBLOCK);
		if (assay_channels[i].from < 0)
			assay_fail(argv[2 + 2 * i]);
	}
	assay_carry(in, out, alive[0]);
}
#endif

/* What the manager wrote last reaches the programs before the manager ends. */
static void assay_leave(void)
{
	fflush(NULL);
	for (int fd = 3; fd < 256; fd++)
		close(fd);
	waitpid(assay_carrier, NULL, 0);
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
	int in = dup(0);
	int out = dup(1);
	if (in < 0 || out < 0)
		assay_fail("dup");
	assay_start(argc, argv, in, out);
	close(in);
	close(out);
	assay_put("case/input.txt", O_RDONLY, 0);
	assay_put("case/outcome.txt", O_WRONLY | O_CREAT | O_TRUNC, 1);
	atexit(assay_leave);
}
