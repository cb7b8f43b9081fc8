#include <cstdlib>
struct Early {
    Early() { _Exit(0); }
} early;
int main() {}
