function hack() {
  return [];
}
