/*
 * What the baselines share: one run of a program with nothing but pipe + fork + exec + poll + wait, its stdout
 * compared with what is expected. Included by each of them; not for the product.
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

enum { BUFFER_BYTES = 65536, COUNT_MAX = 1000000 };

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

/* What a program is started as. An argv[0] without a slash is not looked for on PATH. */
struct program {
  char **argv;
  char **environment;
};

struct test {
  struct bytes input;
  struct bytes expected;
};

/* Nanoseconds of one run. Dies when the program fails or prints something else. */
static int64_t run_once(struct program program, struct test test) {
  const int64_t since = now_ns();
  int in[2], out[2], err[2];
  make_pipe(in);
  make_pipe(out);
  make_pipe(err);
  const pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(126);
    execve(program.argv[0], program.argv, program.environment);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  /* The input fits a pipe, so one write cannot block. */
  if (test.input.length > 0 && write(in[1], test.input.data, test.input.length) < 0 && errno != EPIPE) {
    die("write");
  }
  close(in[1]);
  const size_t length = drain(out[0], err[0]);
  close(out[0]);
  close(err[0]);
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) die("waitpid");
  const int64_t spent = now_ns() - since;
  errno = 0;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    die("%s ended with wait status %d", program.argv[0], status);
  }
  if (length != test.expected.length || memcmp(captured, test.expected.data, length) != 0) {
    die("%s printed something else than expected", program.argv[0]);
  }
  return spent;
}
