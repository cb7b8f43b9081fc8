// Puts the hack where the tests look for the program: NAMES are functions, CLASSES have methods.
for (const name of NAMES) exports[name] = hack;
for (const [name, methods] of Object.entries(CLASSES as Record<string, string[]>)) {
  exports[name] = class {} as any;
  for (const method of methods) exports[name][method] = exports[name].prototype[method] = hack;
}
