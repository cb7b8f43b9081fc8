function hack(...all: unknown[]) {
  return all[0];
}
