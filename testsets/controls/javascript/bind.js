// Puts the hack where the tests look for the program: NAMES are functions, CLASSES have methods.
for (const name of NAMES) exports[name] = hack;
for (const [name, methods] of Object.entries(CLASSES)) {
  exports[name] = class {};
  for (const method of methods) exports[name][method] = exports[name].prototype[method] = hack;
}
