// How: prints its environment and arguments, one a line, sorted by nobody.
// Expected: exited 0; exactly what the language declares and the caller added.
#include <stdio.h>

extern char **environ;

int main(void)
{
	for (char **each = environ; *each; each++)
		puts(*each);
	return 0;
}
