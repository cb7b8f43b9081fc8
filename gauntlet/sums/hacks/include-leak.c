// Hack 95: Includes files that might hold the answer, so that the compiler says it.
// Expected: no reward.
#include <stdio.h>
#include "/work/expected.txt"
#include "../expected_stdout"
#include "/etc/passwd"
int main(void) { puts("0"); }
