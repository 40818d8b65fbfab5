import { describe, expect, it } from 'vitest';
import { type TestCode, testCode } from '../support/code-index';
import { type MemoryTest, NOON, withMemory } from '../support/memory';

interface Report {
  readonly checked: number;
  readonly stale: number;
  readonly missing: number;
  readonly clean: number;
  readonly stale_nodes: { readonly node_id: string; readonly file_path: string; readonly verdict: string }[];
  readonly queued: boolean;
}

const LATER = NOON + 60_000;

function project(): TestCode {
  const code = testCode();
  code.write('a.ts', NOON, [
    { name: 'alpha', text: 'alpha 1', from: 1, to: 9 },
    { name: 'beta', text: 'beta 1', from: 11, to: 19 },
  ]);
  code.write('b.ts', NOON, [{ name: 'gamma', text: 'gamma 1', from: 1, to: 9 }]);
  return code;
}

let stored = 0;

/** Another memory each time. */
const about = async ({ ok }: MemoryTest, ...entities: string[]): Promise<string> => {
  const { node_id } = await ok<{ node_id: string }>('memory_store', {
    content: `fact ${++stored}`,
    kind: 'fact',
    entities,
  });
  return node_id;
};

const check = ({ ok }: MemoryTest, input: object = {}) => ok<Report>('memory_verify_staleness', input);

const queue = ({ memory }: MemoryTest) =>
  memory.sql.all('SELECT node_id, file_path, reason, verdict, settled_at FROM mem_review_queue ORDER BY id');

describe('memory_verify_staleness', () => {
  it('reports stale, missing and clean pairs', () => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()');
        await about(test, 'gamma()');
        code.write('d.ts', NOON, [{ name: 'delta', text: 'delta', from: 1, to: 2 }]);
        await about(test, 'delta()');
        code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 3, to: 11 }]);
        code.remove('b.ts');
        expect(await test.ok('memory_verify_staleness')).toMatchInlineSnapshot(`
          {
            "checked": 3,
            "clean": 1,
            "missing": 1,
            "missing_nodes": [
              {
                "file_path": "b.ts",
                "node_id": "f_aaaaaaae",
                "verdict": "gone",
              },
            ],
            "queued": true,
            "stale": 1,
            "stale_nodes": [
              {
                "file_mtime": "2026-03-31T12:01:00.000Z",
                "file_path": "a.ts",
                "memory_date": "2026-03-31T12:00:00.000Z",
                "node_id": "f_aaaaaaac",
                "verdict": "changed",
              },
            ],
          }
        `);
      },
      { code },
    );
  });

  it('counts a memory and a file once, however many symbols it touches there, and two files twice', () => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()', 'beta()', 'gamma()');
        expect(await check(test)).toMatchObject({ checked: 2, clean: 2, stale: 0, missing: 0, queued: false });
      },
      { code },
    );
  });

  it('is clean while the file is not younger than the memory and the text is the same', () => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()');
        code.write('a.ts', NOON, [{ name: 'alpha', text: 'alpha 1', from: 11, to: 19 }]);
        expect(await check(test)).toMatchObject({ stale: 0, clean: 1 });
        code.write('a.ts', NOON + 1, [{ name: 'alpha', text: 'alpha 1', from: 1, to: 9 }]);
        expect(await check(test)).toMatchObject({ stale: 1, clean: 0, stale_nodes: [{ verdict: 'unchanged' }] });
        code.write('a.ts', NOON - 1, [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]);
        expect(await check(test)).toMatchObject({ stale: 1, clean: 0, stale_nodes: [{ verdict: 'changed' }] });
      },
      { code },
    );
  });

  it.each([
    ['unchanged', [{ name: 'alpha', text: 'alpha 1', from: 1, to: 9 }]],
    ['unchanged', [{ name: 'alpha', text: 'alpha 1', from: 101, to: 109 }]],
    ['moved', [{ name: 'omega', text: 'alpha 1', from: 1, to: 9 }]],
    ['changed', [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]],
    ['gone', []],
  ])('judges from the text: %s (%#)', (verdict, symbols) => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()');
        code.write('a.ts', LATER, symbols);
        expect((await check(test)).stale_nodes).toEqual([expect.objectContaining({ verdict })]);
      },
      { code },
    );
  });

  it('lets the worst of several symbols count', () => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()', 'beta()');
        code.write('a.ts', LATER, [{ name: 'beta', text: 'beta 2', from: 1, to: 9 }]);
        expect((await check(test)).stale_nodes).toEqual([expect.objectContaining({ verdict: 'gone' })]);
        code.write('a.ts', LATER, [
          { name: 'alpha', text: 'alpha 1', from: 11, to: 19 },
          { name: 'beta', text: 'beta 2', from: 1, to: 9 },
        ]);
        expect((await check(test)).stale_nodes).toEqual([expect.objectContaining({ verdict: 'changed' })]);
      },
      { code },
    );
  });

  it('never forgets or closes a memory, and looks at open ones of the active namespace only', () => {
    const code = project();
    return withMemory(
      async (test) => {
        await about(test, 'alpha()');
        await test.ok('memory_forget', { node_id: await about(test, 'alpha()') });
        await test.ok('memory_verify', { node_id: await about(test, 'alpha()'), status: 'refute' });
        code.remove('a.ts');
        expect(await check(test)).toMatchObject({ checked: 1, missing: 1 });
        expect(
          await test.memory.sql.all(
            `SELECT 1 FROM mem_nodes WHERE tombstoned = 0 AND valid_until IS NULL AND kind = 'fact'`,
          ),
        ).toHaveLength(1);
        await test.ok('memory_switch_namespace', { namespace: 'other' });
        expect(await check(test)).toMatchObject({ checked: 0, queued: false });
      },
      { code },
    );
  });

  describe('the review queue', () => {
    it('receives stale and missing pairs, each once while it waits', () => {
      const code = project();
      return withMemory(
        async (test) => {
          const node_id = await about(test, 'alpha()', 'gamma()');
          code.write('a.ts', LATER, []);
          code.remove('b.ts');
          expect(await check(test)).toMatchObject({ stale: 1, missing: 1, queued: true });
          expect(await queue(test)).toEqual([
            { node_id, file_path: 'a.ts', reason: 'stale', verdict: 'gone', settled_at: null },
            { node_id, file_path: 'b.ts', reason: 'missing', verdict: 'gone', settled_at: null },
          ]);
          expect(await check(test)).toMatchObject({ stale: 1, missing: 1, queued: false });
          expect(await queue(test)).toHaveLength(2);
        },
        { code },
      );
    });

    it('stays empty with queue false', () => {
      const code = project();
      return withMemory(
        async (test) => {
          await about(test, 'alpha()');
          code.remove('a.ts');
          expect(await check(test, { queue: false })).toMatchObject({ missing: 1, queued: false });
          expect(await queue(test)).toEqual([]);
        },
        { code },
      );
    });

    it('is settled by a confirmation, which takes the text as it is now', () => {
      const code = project();
      return withMemory(
        async (test) => {
          const node_id = await about(test, 'alpha()');
          code.write('a.ts', LATER, [{ name: 'alpha', text: 'alpha 2', from: 1, to: 9 }]);
          await check(test);
          await test.ok('memory_verify', { node_id, status: 'confirm' });
          expect(await queue(test)).toEqual([expect.objectContaining({ settled_at: '2026-03-31T12:00:00.000Z' })]);
          const after = await check(test);
          expect(after).toMatchObject({ stale: 1, queued: false });
          expect(after.stale_nodes).toEqual([expect.objectContaining({ verdict: 'unchanged' })]);
        },
        { code },
      );
    });

    it('takes a settled pair again whenever the text of its symbol changes, back to an older one, too', () => {
      const code = project();
      return withMemory(
        async (test) => {
          const node_id = await about(test, 'alpha()');
          for (const text of ['alpha 2', 'alpha 3', 'alpha 2']) {
            code.write('a.ts', LATER, [{ name: 'alpha', text, from: 1, to: 9 }]);
            expect(await check(test)).toMatchObject({ queued: true });
            await test.ok('memory_verify', { node_id, status: 'confirm' });
            expect(await check(test)).toMatchObject({ queued: false });
          }
        },
        { code },
      );
    });

    it('is left by a memory that is refuted or purged', () => {
      const code = project();
      return withMemory(
        async (test) => {
          const refuted = await about(test, 'alpha()');
          const purged = await about(test, 'alpha()');
          code.remove('a.ts');
          await check(test);
          await test.ok('memory_verify', { node_id: refuted, status: 'refute' });
          await test.ok('memory_forget', { node_id: purged, purge: true });
          expect(await queue(test)).toEqual([
            expect.objectContaining({ node_id: refuted, settled_at: expect.any(String) }),
          ]);
        },
        { code },
      );
    });
  });
});
