// How: recursion without end.
// Expected: signalled, SIGSEGV (or memory_limit where the stack may outgrow the memory limit).
#pragma GCC optimize("O0") // or the compiler makes a loop of it

static volatile int depth;

int dive(int n)
{
	char room[4096];
	for (unsigned i = 0; i < sizeof room; i++)
		room[i] = (char)n;
	depth++;
	return dive(n + 1) + room[n % 4096];
}

int main(void)
{
	return dive(0);
}
