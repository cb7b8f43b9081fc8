// Keeps 4 MiB blocks of written memory until the limit. Expected: memory_limit.
#include <vector>

int main() {
  std::vector<std::vector<char>> blocks;
  for (;;) blocks.emplace_back(4 << 20, 'x');
}
