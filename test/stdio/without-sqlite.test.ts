// The programs where nothing was compiled, on a Node that has no SQLite of its own: they start, and say what is missing and how to mend it.
import { cp, mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { removeFolder } from '../support/remove-folder';
import { textOf, withServer } from '../support/stdio-client';

const DIST = resolve(__dirname, '../../dist');
const REMEDY =
  /\n[^\n]*which needs python3, make and a C\+\+ compiler:\nnpm install-scripts approve @vscode\/sqlite3 && [^\n]*$/;
const MISSING = /^There is no SQLite: the module @vscode\/sqlite3 was not compiled on this machine, [^\n]*\.\n/;

/** As if this were such a Node. */
const NO_OTHER = { SVC_SQLITE: 'native' };

let installed = '';
beforeAll(async () => {
  // No node_modules above it.
  installed = await mkdtemp(join(tmpdir(), 'svc-without-sqlite-'));
  await cp(DIST, installed, { recursive: true, filter: (path) => !path.endsWith('.node') });
});
afterAll(() => removeFolder(installed));

describe.each(['svc-memory', 'svc'])('%s without SQLite', (name) => {
  const program = () => join(installed, `${name}.js`);

  it.each([['--version'], ['--help']])('answers %s', (option) =>
    withCommandLine(async ({ run }) => {
      const { status, out, err } = await run([option], { program: program(), env: NO_OTHER });
      expect({ status, err }).toEqual({ status: 0, err: '' });
      expect(out).toMatch(option === '--help' ? /Usage: / : /^\d+\.\d+\.\d+\n$/);
    }),
  );

  it('says in three lines what is missing and how to mend it, and makes nothing', () =>
    withCommandLine(async ({ run, folder, home }) => {
      const { status, out, err } = await run([name === 'svc' ? 'build' : 'init'], {
        program: program(),
        env: NO_OTHER,
      });
      expect({ status, out }).toEqual({ status: 1, out: '' });
      expect(err).toMatch(/^unavailable: There is no SQLite/);
      const text = err.replace('unavailable: ', '').trimEnd();
      expect(text).toMatch(MISSING);
      expect(text).toMatch(REMEDY);
      expect(text.split('\n')).toHaveLength(3);
      expect([await readdir(folder), await readdir(home)]).toEqual([[], []]);
    }));
});

describe('svc-memory without SQLite', () => {
  it('tells what is wrong as "doctor", and keeps no agent from going on as a hook', () =>
    withCommandLine(async ({ run }) => {
      const program = join(installed, 'svc-memory.js');
      const doctor = await run(['doctor', '--json'], { program, env: NO_OTHER });
      expect(doctor.status).toBe(1);
      expect(JSON.parse(doctor.out)).toMatchObject({ problems: [expect.stringMatching(MISSING)] });
      const someFile = { ...NO_OTHER, SVC_MEMORY_DB: program };
      const hook = await run(['hook', 'session-start'], { program, env: someFile, input: '{}' });
      expect({ status: hook.status, out: hook.out }).toEqual({ status: 0, out: '{}\n' });
      expect(hook.err).toMatch(/^svc-memory hook: unavailable: There is no SQLite/);
    }));
});

describe.each([
  ['svc-memory-mcp', 'memory_recall', { query: 'x' }],
  ['svc-mcp', 'graph_status', {}],
])('%s without SQLite', (name, tool, input) => {
  it('introduces itself with what is missing, and answers every call with it', () =>
    withServer(
      async ({ client, refusal, folder, home }) => {
        const told = client.getInstructions() ?? '';
        expect(told.replace('unavailable: ', '')).toMatch(MISSING);
        expect(told).toMatch(REMEDY);
        expect((await client.listTools()).tools.length).toBeGreaterThan(2);
        expect(await refusal(tool, input)).toBe(told);
        expect(await refusal(tool, input)).toBe(told);
        expect([await readdir(folder), await readdir(home)]).toEqual([[], []]);
      },
      { server: join(installed, `${name}.js`), env: NO_OTHER },
    ));

  it('says so where no store was named by an editor, too', () =>
    withServer(
      async ({ call }) => {
        const result = await call(tool, input);
        expect(textOf(result)).toMatch(/^unavailable: There is no SQLite/);
      },
      {
        server: join(installed, `${name}.js`),
        env: { ...NO_OTHER, SVC_CREATE_STORE: 'on-write', SVC_MEMORY_DB: join(installed, 'new.db') },
      },
    ));
});
