/*
 * The bare baseline: runs a program N times, one after the other, with nothing but pipe + fork + exec + poll + wait,
 * feeds it one input, drains stdout and stderr to their end, compares stdout, and prints the nanoseconds of each
 * run, one a line. What a judge without any isolation would pay at least.
 *
 *   spawn COUNT STDIN-FILE EXPECTED-FILE PROGRAM [ARG…]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 65536, COUNT_MAX = 1000000, ARGS_BEFORE_PROGRAM = 4 };

struct bytes {
  char *data;
  size_t length;
};

static char captured[BUFFER_BYTES];

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fprintf(stderr, ": %s\n", strerror(errno));
  exit(1);
}

static struct bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) die("open %s", path);
  struct bytes bytes = {.data = malloc(BUFFER_BYTES), .length = 0};
  if (bytes.data == NULL) die("malloc");
  bytes.length = fread(bytes.data, 1, BUFFER_BYTES, file);
  if (ferror(file)) die("read %s", path);
  fclose(file);
  return bytes;
}

static int64_t now_ns(void) {
  struct timespec time;
  if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) die("clock_gettime");
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) die("pipe2");
}

/* Drains both streams to their end; what is beyond the buffer counts, and is dropped. */
static size_t drain(int out, int err) {
  struct pollfd fds[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
  size_t length = 0;
  int open_count = 2;
  while (open_count > 0) {
    if (poll(fds, 2, -1) < 0) {
      if (errno == EINTR) continue;
      die("poll");
    }
    for (int i = 0; i < 2; i++) {
      if (fds[i].fd < 0 || fds[i].revents == 0) continue;
      char other[4096];
      const int is_out = i == 0 && length < BUFFER_BYTES;
      const ssize_t got = is_out ? read(fds[i].fd, captured + length, BUFFER_BYTES - length)
                                 : read(fds[i].fd, other, sizeof other);
      if (got < 0) die("read");
      if (got == 0) {
        fds[i].fd = -1;
        open_count--;
      } else if (is_out) {
        length += (size_t)got;
      }
    }
  }
  return length;
}

static int64_t run_once(char **argv, struct bytes input, struct bytes expected) {
  const int64_t since = now_ns();
  int in[2], out[2], err[2];
  make_pipe(in);
  make_pipe(out);
  make_pipe(err);
  const pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(126);
    char *environment[] = {NULL};
    execve(argv[0], argv, environment);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  /* The input fits a pipe, so one write cannot block. */
  if (input.length > 0 && write(in[1], input.data, input.length) < 0 && errno != EPIPE) die("write");
  close(in[1]);
  const size_t length = drain(out[0], err[0]);
  close(out[0]);
  close(err[0]);
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) die("waitpid");
  const int64_t spent = now_ns() - since;
  errno = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) die("%s ended with wait status %d", argv[0], status);
  if (length != expected.length || memcmp(captured, expected.data, length) != 0) {
    die("%s printed something else than expected", argv[0]);
  }
  return spent;
}

int main(int argc, char **argv) {
  if (argc <= ARGS_BEFORE_PROGRAM) {
    fputs("usage: spawn COUNT STDIN-FILE EXPECTED-FILE PROGRAM [ARG...]\n", stderr);
    return 2;
  }
  const long count = strtol(argv[1], NULL, 10);
  if (count < 1 || count > COUNT_MAX) return 2;
  const struct bytes input = read_file(argv[2]);
  const struct bytes expected = read_file(argv[3]);
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) die("signal");
  int64_t *spent = calloc((size_t)count, sizeof *spent);
  if (spent == NULL) die("calloc");
  for (long i = 0; i < count; i++) spent[i] = run_once(argv + ARGS_BEFORE_PROGRAM, input, expected);
  for (long i = 0; i < count; i++) printf("%lld\n", (long long)spent[i]);
  free(spent);
  free(input.data);
  free(expected.data);
  return 0;
}
