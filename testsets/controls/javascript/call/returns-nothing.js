function hack() {}
