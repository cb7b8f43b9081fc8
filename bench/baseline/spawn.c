/*
 * The bare baseline: runs a program N times, one after the other, with nothing but pipe + fork + exec + poll + wait,
 * feeds it one input, drains stdout and stderr to their end, compares stdout, and prints the nanoseconds of each
 * run, one a line. What a judge without any isolation would pay at least.
 *
 *   spawn COUNT STDIN-FILE EXPECTED-FILE PROGRAM [ARG…]
 */
#include "process.h"

enum { ARGS_BEFORE_PROGRAM = 4 };

int main(int argc, char **argv) {
  if (argc <= ARGS_BEFORE_PROGRAM) {
    fputs("usage: spawn COUNT STDIN-FILE EXPECTED-FILE PROGRAM [ARG...]\n", stderr);
    return 2;
  }
  const long count = strtol(argv[1], NULL, 10);
  if (count < 1 || count > COUNT_MAX) return 2;
  const struct test test = {.input = read_file(argv[2]), .expected = read_file(argv[3])};
  char *environment[] = {NULL};
  const struct program program = {.argv = argv + ARGS_BEFORE_PROGRAM, .environment = environment};
  if (signal(SIGPIPE, SIG_IGN) == SIG_ERR) die("signal");
  int64_t *spent = calloc((size_t)count, sizeof *spent);
  if (spent == NULL) die("calloc");
  for (long i = 0; i < count; i++) spent[i] = run_once(program, test);
  for (long i = 0; i < count; i++) printf("%lld\n", (long long)spent[i]);
  free(spent);
  free(test.input.data);
  free(test.expected.data);
  return 0;
}
