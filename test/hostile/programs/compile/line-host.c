// How: says that its lines are lines of the host's files, which the compiler then quotes beside its messages.
// Expected: compile_error; what is quoted is at most the jail's own.
#line 1 "/etc/shadow"
int a = first;
#line 1 "/etc/passwd"
int b = second;
#line 1 "/proc/1/environ"
int c = third;
#line 1 "/proc/1/cmdline"
int d = fourth;
int main(void) { return 0; }
