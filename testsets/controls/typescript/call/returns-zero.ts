function hack() {
  return 0;
}
