function hack() {
  return '';
}
