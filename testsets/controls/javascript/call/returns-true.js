function hack() {
  return true;
}
