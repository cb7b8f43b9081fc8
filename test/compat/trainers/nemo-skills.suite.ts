/**
 * NeMo-Skills' sandbox over real jails. Its client is part of a package that brings a whole trainer along: what it sends
 * and how its evaluator scores is written anew here from its contract.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import type { RunningService } from '../../support/service.ts';

const Result = z.looseObject({
  process_status: z.enum(['completed', 'error', 'timeout']),
  stdout: z.string(),
  stderr: z.string(),
});

const Cell = Result.extend({ new_session_created: z.boolean() });

export function nemoSkillsSuite(service: () => RunningService): void {
  const execute = async (generated_code: string, parts: object = {}) => {
    const body = {
      generated_code,
      timeout: 10.5,
      language: 'python3',
      std_input: '',
      max_output_characters: 1000,
      traceback_verbosity: 'Plain',
      ...parts,
    };
    return Result.parse((await service().client.post('/execute', body)).body);
  };

  /** CodeExecEvaluator: equal when stripped, whatever the status. */
  const passes = async (code: string, input: string, output: string) => {
    const { stdout } = await execute(code, { std_input: input });
    return stdout.trim() === output.trim();
  };

  describe('NeMo-Skills', () => {
    it('passes what prints the right thing, as its evaluator has it', async () => {
      const sum = 'print(sum(map(int, input().split())))';
      expect(await passes(sum, '1 2\n', '3')).toBe(true);
      expect(await passes(sum, '1 2\n', '4')).toBe(false);
      // An exit code does not matter there, and what is longer than 1000 characters never passes.
      expect(await passes(`${sum}\nexit(1)`, '1 2\n', '3')).toBe(true);
      expect(await passes('print("x" * 1500)', '', 'x'.repeat(1500))).toBe(false);
    });

    it('tells errors of Python by stderr alone', async () => {
      const { process_status, stderr } = await execute('print(1)\n1 / 0');
      expect(process_status).toBe('completed');
      expect(stderr).toContain('ZeroDivisionError');
    });

    it('tells time-outs with the number that was sent', async () => {
      const answer = await execute('print(1, flush=True)\nwhile True: pass', { timeout: 0.5 });
      expect(answer).toEqual({
        process_status: 'timeout',
        stdout: '',
        stderr: 'Execution timed out after 0.5 seconds\n',
      });
    });

    it('runs scripts of a shell, each by itself', async () => {
      const shell = { language: 'shell' };
      expect(await execute('echo hello world', shell)).toEqual({
        process_status: 'completed',
        stdout: 'hello world\n',
        stderr: '',
      });
      const script = 'mkdir -p a && cat > a/b <<END\nhere\nEND\ncat a/b; exit 3';
      expect(await execute(script, shell)).toMatchObject({
        process_status: 'error',
        stdout: 'here\n',
      });
      expect((await execute('cat a/b', shell)).stderr).toContain('No such file');
      expect(await execute('cat', { ...shell, std_input: 'x' })).toMatchObject({ stdout: '' });
    });

    describe('sessions', () => {
      const open =
        (session: string) =>
        async (code: string, parts: object = {}) => {
          const response = await fetch(`${service().url}/execute`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'X-Session-ID': session },
            body: JSON.stringify({
              generated_code: code,
              timeout: 10,
              language: 'ipython',
              ...parts,
            }),
          });
          return Cell.parse(await response.json());
        };

      it('keep what cells defined, imported and wrote, each by itself', async () => {
        const [one, other] = [open('one'), open('other')];
        expect(await one('\n    a = 1\n    a\n    ')).toMatchObject({
          process_status: 'completed',
          stdout: '1\n',
          new_session_created: true,
        });
        await one('import math\nopen("kept", "w").write("x")\nprint({"p", "q"}, len)');
        await one('1 / 0');
        expect(await one('a += 1\nprint(a, math.floor(2.5), open("kept").read())')).toEqual({
          process_status: 'completed',
          stdout: '2 2 x\n',
          stderr: '',
          new_session_created: false,
        });
        const missing = await other('a');
        expect(missing).toMatchObject({ process_status: 'error', new_session_created: true });
        expect(missing.stdout).toContain("NameError: name 'a' is not defined");
      });

      it('go on after a cell that took too long, as if it had not been', async () => {
        const execute = open('late');
        await execute('a = 1');
        const late = await execute('print("partial", flush=True)\na = 2\nwhile True: pass', {
          timeout: 0.5,
        });
        expect(late).toEqual({
          process_status: 'timeout',
          stdout: 'partial\n',
          stderr: 'Execution timed out after 0.5 seconds\n',
          new_session_created: false,
        });
        expect(await execute('a')).toMatchObject({ stdout: '1\n', new_session_created: false });
        expect(await execute('import os; os._exit(0)')).toMatchObject({ process_status: 'error' });
        expect(await execute('a')).toMatchObject({ stdout: '1\n', new_session_created: false });
      });

      it('say so where the earlier cells give another output', async () => {
        const execute = open('random');
        await execute('import time; print(time.time_ns())');
        expect((await execute('1')).stderr).toMatch(/another output than before/);
      });

      it('take turns, and end when they are deleted', async () => {
        const execute = open('turns');
        await execute('n = 0');
        await Promise.all(Array.from({ length: 5 }, async () => await execute('n += 1')));
        expect(await execute('n')).toMatchObject({ stdout: '5\n' });
        const gone = await fetch(`${service().url}/sessions/turns`, { method: 'DELETE' });
        expect(gone.status).toBe(200);
        expect(await execute('n')).toMatchObject({
          process_status: 'error',
          new_session_created: true,
        });
      });
    });

    it('gets forty at once, each its own', async () => {
      const outputs = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => (await execute(`print(${index})`)).stdout),
      );
      expect(outputs).toEqual(outputs.map((_, index) => `${index}\n`));
    });
  });
}
