/** Which environment a program gets that names none. */
import { describe, expect, it } from 'vitest';

import { createScriptedService } from '../../test-support/scripted-service.ts';
import { environmentFor } from './packages.ts';

const found = createScriptedService().language('python');
if (found === null) throw new Error('no python');
const [first] = found.environments;
if (first === undefined) throw new Error('no environment');
const scientific = { ...first, id: 'scientific', packages: { numpy: '2', sympy: '1' } };
const python = { ...found, environments: [first, scientific] };
const of = (code: string, name = 'python', language = python) =>
  environmentFor(language, name, { code, files: [] });

describe('environmentFor', () => {
  it.each([
    'import numpy',
    'import numpy.linalg as la',
    'import os, numpy as np',
    'x = 1\n    from sympy.abc import x\n',
    '\timport sympy',
  ])('finds the packages in %j', (code) => {
    expect(of(code)).toBe('scientific');
    expect(of(code, 'py')).toBe('scientific');
  });

  it.each([
    '',
    'print("numpy")',
    '# import numpy',
    'import numpy_financial',
    'from os import numpy',
  ])('leaves %j where it is', (code) => {
    expect(of(code)).toBeNull();
  });

  it('looks into files of the language, and no others', () => {
    const at = (path: string) =>
      environmentFor(python, 'python', {
        code: 'import tool',
        files: [{ path, content: Buffer.from('import numpy') }],
      });
    expect([at('tool.python'), at('tool.txt')]).toEqual(['scientific', null]);
  });

  it('lets a name stand that means an environment', () => {
    expect(of('import numpy', 'scientific')).toBeNull();
  });

  it('chooses none that is not there', () => {
    const without = {
      ...python,
      environments: [first, { ...scientific, available: false, reason: 'not installed' }],
    };
    expect(of('import numpy', 'python', without)).toBeNull();
  });
});
