/**
 * Set-up for C++: compiles the usual headers ahead, for the flags of each environment that wants some. A header that
 * cannot be compiled is left out; programs then compile it themselves.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { findHeaders } from '../shared/gcc-headers.ts';
import { build, prepare } from '../shared/prepared.ts';

prepare(findHeaders, (folder, { compiler, sets, files }) => {
  for (const { environment, flags, headers } of sets) {
    for (const header of headers) {
      const source = files.find((file) => file.endsWith(`/${header}`));
      const target = join(folder, environment, `${header}.gch`);
      if (source === undefined) continue;
      mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
      try {
        build(compiler, [...flags, '-x', 'c++-header', source, '-o', target], { cwd: folder });
      } catch (error) {
        rmSync(target, { force: true });
        process.stdout.write(`no precompiled ${header} for ${environment}: ${String(error)}\n`);
      }
    }
  }
});
