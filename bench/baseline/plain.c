/*
 * A judge without any isolation, as small as it can be: for each line on stdin it judges the source file that lies in
 * its working folder on all tests, one after the other, and answers with one line: the nanoseconds of the compile
 * step and those of all runs together. Any failure or wrong output ends it with a message.
 *
 *   plain TESTS-FOLDER COUNT PROGRAM [ARG…] [-- COMPILER [ARG…]]
 *
 * The folder holds 0.in, 0.out, 1.in, … Programs are started with this process's own environment.
 */
#include "process.h"

enum { TESTS_MAX = 1000, PATH_BYTES = 4096, ARGS_BEFORE_PROGRAM = 3 };

extern char **environ;

static struct bytes read_test(const char *folder, long index, const char *kind) {
  char path[PATH_BYTES];
  if (snprintf(path, sizeof path, "%s/%ld.%s", folder, index, kind) >= (int)sizeof path) die("the path is too long");
  return read_file(path);
}

/* Where the compiler's words begin, or NULL; ends the program's words there. */
static char **split_command(char **argv) {
  for (char **word = argv; *word != NULL; word++) {
    if (strcmp(*word, "--") != 0) continue;
    *word = NULL;
    return word + 1;
  }
  return NULL;
}

/* The compiler reads nothing, and what it prints on stdout must not become an answer. */
static int64_t compile(char **argv) {
  if (argv == NULL) return 0;
  const int64_t since = now_ns();
  const pid_t pid = fork();
  if (pid < 0) die("fork");
  if (pid == 0) {
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0) _exit(126);
    execve(argv[0], argv, environ);
    _exit(127);
  }
  int status = 0;
  if (waitpid(pid, &status, 0) != pid) die("waitpid");
  errno = 0;
  if (status != 0) die("%s ended with wait status %d", argv[0], status);
  return now_ns() - since;
}

int main(int argc, char **argv) {
  const long count = argc > ARGS_BEFORE_PROGRAM ? strtol(argv[2], NULL, 10) : 0;
  if (count < 1 || count > TESTS_MAX) {
    fputs("usage: plain TESTS-FOLDER COUNT PROGRAM [ARG...] [-- COMPILER [ARG...]]\n", stderr);
    return 2;
  }
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) die("signal");
  static struct test tests[TESTS_MAX];
  for (long i = 0; i < count; i++) {
    tests[i] = (struct test){.input = read_test(argv[1], i, "in"), .expected = read_test(argv[1], i, "out")};
  }
  char **compiler = split_command(argv + ARGS_BEFORE_PROGRAM);
  const struct program program = {.argv = argv + ARGS_BEFORE_PROGRAM, .environment = environ};
  for (int byte = getchar(); byte != EOF; byte = getchar()) {
    if (byte != '\n') continue;
    const int64_t compiled = compile(compiler);
    int64_t spent = 0;
    for (long i = 0; i < count; i++) spent += run_once(program, tests[i]);
    printf("%lld %lld\n", (long long)compiled, (long long)spent);
    if (fflush(stdout) != 0) die("write");
  }
  return 0;
}
