// How: includes files of the host, so that the compiler's messages would quote them.
// Expected: compile_error; no line of any such file in the messages.
#include "/etc/shadow"
#include "/etc/passwd"
#include "/proc/self/environ"
#include "/proc/1/environ"
#include "/proc/1/cmdline"
int main(void) { return 0; }
