/** Plain modules as functions. */
import { describe, expect, it } from 'vitest';

import { moduleBody } from './module-text.ts';

describe('moduleBody', () => {
  it.each([
    ["import fs from 'fs';", 'const fs = __assay_import("fs");'],
    ['import * as rl from "node:readline"', 'const rl = __assay_import("node:readline");'],
    ["import { a, b as c } from 'fs';", 'const { a, b : c } = __assay_import("fs", ["a","b"]);'],
    [
      "import fs, { EOL } from 'os';",
      'const fs = __assay_import("os");const { EOL } = __assay_import("os", ["EOL"]);',
    ],
  ])('turns %j into constants', (line, constants) => {
    expect(moduleBody(`${line}\nf();`)).toBe(`'use strict';${constants}\nf();`);
  });

  it('keeps the numbers of lines', () => {
    const text = "import {\n  a,\n  b,\n} from 'fs';\nf();";
    expect(moduleBody(text)?.split('\n').at(4)).toBe('f();');
  });

  it('drops exports that nobody imports', () => {
    expect(moduleBody('export {};\nexport const a = 1;\nexport async function f() {}')).toBe(
      "'use strict';\nconst a = 1;\nasync function f() {}",
    );
  });

  it.each([
    "import 'fs';",
    "import fs from './own.js';",
    'export default 1;',
    "export * from 'fs';",
    'console.log(import.meta.url);',
    "const text = 'export';\nexport const a = 1;",
    "import json from 'x' with { type: 'json' };",
    "import fs from 'fs'; f();",
    "const text = `\nimport fs from 'fs';\n`; export {};",
  ])('leaves %j to a process', (text) => {
    expect(moduleBody(text)).toBeNull();
  });
});
