// Reads beyond its array.
#include <csignal>

int main() {
	raise(SIGSEGV);
}
