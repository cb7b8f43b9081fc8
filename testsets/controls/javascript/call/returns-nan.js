function hack() {
  return NaN;
}
