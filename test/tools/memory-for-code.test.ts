import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

const store = async ({ ok }: MemoryTest, content: string, entities: string[], more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', entities, ...more })).node_id;

function twoFunctions() {
  const code = testCode();
  code.write('src/login.ts', NOON, [
    { name: 'Login.check', text: 'check body', from: 10, to: 20, type: 'method' },
    { name: 'Login', text: 'class body', from: 5, to: 40, type: 'class' },
  ]);
  return code;
}

describe('memory_for_code', () => {
  it('lists the memories by symbol, in the order of the lines', () =>
    withMemory(
      async (test) => {
        await store(test, 'Passwords are compared\nin constant time', ['Login.check'], { confidence: 0.9 });
        await store(test, 'One instance for each request', ['Login'], { kind: 'decision', valid_from: '2026-02-01' });
        await store(test, 'Both are covered by tests', ['Login', 'Login.check()']);
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).toMatchInlineSnapshot(`
          "## Memories touching \`src/login.ts\`
          ### class Login (L5–40)
          - [f_aaaaaaag] fact · 2026-03-31 · conf 1.00 — Both are covered by tests
          - [d_aaaaaaae] decision · 2026-02-01 · conf 1.00 — One instance for each request
          ### method Login.check (L10–20)
          - [f_aaaaaaag] fact · 2026-03-31 · conf 1.00 — Both are covered by tests
          - [f_aaaaaaac] fact · 2026-03-31 · conf 0.90 — Passwords are compared in constant time"
        `);
      },
      { code: twoFunctions() },
    ));

  it('narrows down to the symbols that contain the line', () =>
    withMemory(
      async (test) => {
        await store(test, 'about the method', ['Login.check']);
        await store(test, 'about the class', ['Login']);
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts', line: 30 })).toMatchInlineSnapshot(`
          "## Memories touching \`src/login.ts\`:30
          ### class Login (L5–40)
          - [f_aaaaaaae] fact · 2026-03-31 · conf 1.00 — about the class"
        `);
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts', line: 20 })).toContain(
          'about the method',
        );
      },
      { code: twoFunctions() },
    ));

  it('reads the line behind a path, as compilers print it, and says of a file that is not there that it is not', () =>
    withMemory(
      async (test) => {
        await store(test, 'about the method', ['Login.check']);
        await store(test, 'about the class', ['Login']);
        const forCode = (file_path: string) => test.text('memory_for_code', { file_path });
        for (const place of ['src/login.ts:30', 'src/login.ts:30:7', 'src/login.ts:30:7:'])
          expect(await forCode(place)).toContain('## Memories touching `src/login.ts`:30\n### class Login');
        expect(await forCode('src/login.ts:99')).toMatch(/^No memory touches .*:99; the nearest are "src\/login\.ts"/);
        expect(await forCode('src/login.ts:12')).toContain('about the method');
        expect(await forCode('src/logon.ts')).toBe(
          'There is no file `src/logon.ts`, and no memory touches it; the nearest are "src/login.ts".',
        );
        expect(await forCode('src/login.ts:0')).toContain('There is no file `src/login.ts:0`');
      },
      { code: twoFunctions() },
    ));

  it('shows open memories only', () =>
    withMemory(
      async (test) => {
        const superseded = await store(test, 'superseded', ['Login']);
        await store(test, 'open', ['Login'], { supersedes: superseded });
        await test.ok('memory_forget', { node_id: await store(test, 'forgotten', ['Login']) });
        await test.ok('memory_verify', { node_id: await store(test, 'refuted', ['Login']), status: 'refute' });
        const answer = await test.text('memory_for_code', { file_path: 'src/login.ts' });
        expect(answer.match(/ — (.*)/g)).toEqual([' — open']);
      },
      { code: twoFunctions() },
    ));

  it.each(['./src/login.ts', 'src\\login.ts', '/repo/src/login.ts'])('takes the path %s', (file_path) =>
    withMemory(
      async (test) => {
        await store(test, 'about the class', ['Login']);
        expect(await test.text('memory_for_code', { file_path })).toContain('## Memories touching `src/login.ts`\n');
      },
      { code: twoFunctions() },
    ),
  );

  it('refuses a path outside the repository', () =>
    withMemory(
      async ({ refused }) => {
        expect(await refused('memory_for_code', { file_path: '../secrets' })).toMatch(/^invalid_input: "file_path" /);
      },
      { code: twoFunctions() },
    ));

  it('names the nearest of hundreds of files: those beside it, and those that are called alike', () =>
    withMemory(
      async (test) => {
        const touch = { code_type: 'function', name: 'f', hash: 'h' };
        const on = (file_path: string, more: object = {}) => ({
          ...{ kind: 'fact', content: file_path, touches: [{ file_path, ...touch }] },
          ...more,
        });
        const far = [
          ...Array.from({ length: 600 }, (_, i) => on(`other/src/folder${i}/stored.ts`)),
          ...[on('scr/a/stored.ts'), on('src/a/b/stored.ts')],
        ];
        const near = [on('src/a/stora.ts'), on('test/store.test.ts'), on('src/a/zebra.ts')];
        const closed = on('src/a/stores.ts', { valid_until: '2026-03-01' });
        const { errors } = await test.ok<{ errors: unknown[] }>('memory_import', { nodes: [...far, ...near, closed] });
        expect(errors).toEqual([]);
        expect(await test.text('memory_for_code', { file_path: 'src/a/store.ts' })).toBe(
          'There is no file `src/a/store.ts`, and no memory touches it; the nearest are "src/a/stora.ts", "test/store.test.ts", "src/a/zebra.ts".',
        );
        await test.ok('memory_switch_namespace', { namespace: 'other' });
        expect(await test.text('memory_for_code', { file_path: 'src/a/store.ts' })).not.toContain('nearest');
      },
      { code: twoFunctions() },
    ));

  it('answers with one sentence that names the nearest files when nothing is found', () =>
    withMemory(
      async (test) => {
        expect(await test.text('memory_for_code', { file_path: 'src/logon.ts' })).toBe(
          'There is no file `src/logon.ts`, and no memory touches it.',
        );
        await store(test, 'about the class', ['Login']);
        expect(await test.text('memory_for_code', { file_path: 'src/logon.ts', line: 3 })).toBe(
          'There is no file `src/logon.ts`, and no memory touches it; the nearest are "src/login.ts".',
        );
      },
      { code: twoFunctions() },
    ));

  it('counts lines from 1', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_for_code', { file_path: 'a.ts', line: 0 })).toBe(
        'invalid_input: "line" must be at least 1. The parameters of memory_for_code are file_path (required), line.',
      );
    }));

  it('shows where a symbol stands now, and that one is gone', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await store(test, 'about the method', ['Login.check']);
        await store(test, 'about the class', ['Login']);
        code.write('src/login.ts', NOON, [
          { name: 'Login.check', text: 'check body', from: 110, to: 120, type: 'method' },
        ]);
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).toMatchInlineSnapshot(`
          "## Memories touching \`src/login.ts\`
          ### method Login.check (L110–120)
          - [f_aaaaaaac] fact · 2026-03-31 · conf 1.00 — about the method
          ### class Login (gone)
          - [f_aaaaaaae] fact · 2026-03-31 · conf 1.00 — about the class"
        `);
      },
      { code },
    );
  });

  it('says which memories are on code that changed since, until they are confirmed', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const id = await store(test, 'about the method', ['Login.check']);
        code.write('src/login.ts', NOON, [
          { name: 'Login.check', text: 'another body', from: 10, to: 20, type: 'method' },
          { name: 'Login', text: 'class body', from: 5, to: 40, type: 'class' },
        ]);
        await store(test, 'about the method as it is', ['Login.check']);
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).toMatchInlineSnapshot(`
          "## Memories touching \`src/login.ts\`
          ### method Login.check (L10–20)
          - [f_aaaaaaad] fact · 2026-03-31 · conf 1.00 — about the method as it is
          - [f_aaaaaaac] fact · 2026-03-31 · conf 1.00 — about the method
            (the code has changed since)"
        `);
        await test.ok('memory_verify', { node_id: id, status: 'confirm' });
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).not.toContain('changed since');
      },
      { code },
    );
  });

  it('finds the memories of a file that was renamed under its new name', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        await store(test, 'about the class', ['Login']);
        code.remove('src/login.ts');
        code.write('src/auth/login.ts', NOON, [{ name: 'Login', text: 'class body', from: 1, to: 36, type: 'class' }]);
        expect(await test.text('memory_for_code', { file_path: 'src/auth/login.ts' })).toContain(
          '### class Login (L1–36)\n- [f_aaaaaaac] fact · 2026-03-31 · conf 1.00 — about the class',
        );
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).toContain('There is no file');
      },
      { code },
    );
  });

  it('says what to do where code has no root', () =>
    withMemory(
      async ({ refused }) => {
        const words = 'unavailable: The store lies in the home directory. Run "svc-memory init" in the project.';
        expect(await refused('memory_for_code', { file_path: 'a.ts' })).toBe(words);
        expect(await refused('memory_verify_staleness')).toBe(words);
      },
      { code: rootless() },
    ));
});

describe('memory_to_code', () => {
  it('lists where the code of a memory stands', () =>
    withMemory(
      async (test) => {
        const memory_id = await store(test, 'both', ['Login', 'Login.check']);
        expect(await test.ok('memory_to_code', { memory_id })).toMatchInlineSnapshot(`
          [
            {
              "code_type": "class",
              "end_line": 40,
              "file_path": "src/login.ts",
              "graph_node_id": "class:src/login.ts:Login:5",
              "start_line": 5,
            },
            {
              "code_type": "method",
              "end_line": 20,
              "file_path": "src/login.ts",
              "graph_node_id": "method:src/login.ts:Login.check:10",
              "start_line": 10,
            },
          ]
        `);
      },
      { code: twoFunctions() },
    ));

  it('follows lines that move and files that are renamed', () => {
    const code = twoFunctions();
    return withMemory(
      async (test) => {
        const memory_id = await store(test, 'about the class', ['Login']);
        code.remove('src/login.ts');
        code.write('src/auth.ts', NOON, [{ name: 'Login', text: 'class body', from: 105, to: 140, type: 'class' }]);
        expect(await test.ok('memory_to_code', { memory_id })).toEqual([
          {
            graph_node_id: 'class:src/auth.ts:Login:105',
            file_path: 'src/auth.ts',
            start_line: 105,
            end_line: 140,
            code_type: 'class',
          },
        ]);
      },
      { code },
    );
  });

  it('answers with an empty list where nothing is touched, also where code has no root', () =>
    withMemory(
      async (test) => {
        const memory_id = await store(test, 'no code', ['Login']);
        expect(await test.text('memory_to_code', { memory_id })).toBe('[]');
      },
      { code: rootless() },
    ));

  it('does not know an id of another namespace, nor one that is not there', () =>
    withMemory(
      async (test) => {
        const elsewhere = await store(test, 'both', ['Login'], { namespace: 'other' });
        await test.ok('memory_switch_namespace', { namespace: 'default' });
        for (const memory_id of [elsewhere, 'f_zzzzzzzz']) {
          expect(await test.refused('memory_to_code', { memory_id })).toBe(
            `not_found: There is no memory "${memory_id}" (parameter "memory_id") in this namespace. Use an id in square brackets from memory_recall or memory_timeline.`,
          );
        }
        expect(await test.text('memory_for_code', { file_path: 'src/login.ts' })).toContain('No memory touches');
      },
      { code: twoFunctions() },
    ));
});

describe('a TOUCHES edge', () => {
  it('is made by the name of an entity, however it was referred to', () =>
    withMemory(
      async (test) => {
        const first = await test.ok<{ node_id: string; created_entity_ids: string[] }>('memory_store', {
          content: 'first',
          kind: 'fact',
          entities: ['Login'],
        });
        const [entity = ''] = first.created_entity_ids;
        for (const name of ['LOGIN', entity]) {
          const memory_id = await store(test, 'again', [name]);
          expect(await test.ok('memory_to_code', { memory_id })).toHaveLength(1);
        }
      },
      { code: twoFunctions() },
    ));
});

function rootless() {
  return {
    ...testCode(),
    unavailable: { problem: 'The store lies in the home directory', remedy: 'Run "svc-memory init" in the project' },
  };
}

describe('without a code graph', () => {
  it('a path inside the project is an answer and one outside is refused', () =>
    withMemory(async (test) => {
      await mkdir(join(test.folder, 'src'));
      await writeFile(join(test.folder, 'src', 'a.ts'), '');
      for (const file_path of ['src/a.ts', './src/a.ts', 'src\\a.ts', `${test.folder}/src/a.ts`, 'src/../src/a.ts']) {
        expect(await test.text('memory_for_code', { file_path })).toBe(
          'No memory touches `src/a.ts`, because no code graph has been built. Run "svc build" in the project.',
        );
      }
      for (const file_path of ['.', test.folder]) {
        expect(await test.refused('memory_for_code', { file_path })).toMatch(
          /^invalid_input: "file_path" is ".*", the folder of the project itself\. Give the path of a file inside the project, /,
        );
      }
      for (const file_path of ['../a.ts', '/etc/passwd', '..', 'C:\\a.ts', 'src/../../a.ts']) {
        expect(await test.refused('memory_for_code', { file_path })).toMatch(
          /^invalid_input: "file_path" is ".*", which is outside the project ".*"\. Give the path of a file inside the project, /,
        );
      }
    }));

  it('nothing is checked and no memory touches anything', () =>
    withMemory(async (test) => {
      const memory_id = await store(test, 'about the class', ['Login', 'src/login.ts']);
      expect(await test.ok('memory_to_code', { memory_id })).toEqual([]);
      expect(await test.ok('memory_verify_staleness')).toMatchObject({ checked: 0, queued: false });
    }));
});
