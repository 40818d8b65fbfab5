import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { type MemoryTest, withMemory } from '../support/memory';

const store = async ({ ok }: MemoryTest, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content: 'The build takes nine minutes', kind: 'fact', ...more }))
    .node_id;

describe('memory_verify', () => {
  it('confirms: a tenth more confidence, still open', () =>
    withMemory(async (test) => {
      const node_id = await store(test, { confidence: 0.7 });
      const answer = await test.text('memory_verify', { node_id, status: 'confirm' });
      expect(answer).toMatchInlineSnapshot(`"{"node_id":"f_aaaaaaab","confidence":0.8,"status":"confirmed"}"`);
      expect(await test.text('memory_recall', { query: 'build' })).toContain(`[${node_id}] 2026-03-31 · conf 0.80`);
    }));

  it('never goes above full confidence, and does not drift', () =>
    withMemory(async (test) => {
      const node_id = await store(test, { confidence: 0.1 });
      const seen: number[] = [];
      for (let i = 0; i < 11; i++) {
        seen.push((await test.ok<{ confidence: number }>('memory_verify', { node_id, status: 'confirm' })).confidence);
      }
      expect(seen).toEqual([0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1, 1]);
    }));

  it('refutes: half the confidence, closed now, out of recall, in the timeline', () =>
    withMemory(async (test) => {
      const node_id = await store(test, { confidence: 0.9, valid_from: '2026-01-01' });
      expect(await test.ok('memory_verify', { node_id, status: 'refute' })).toEqual({
        node_id,
        confidence: 0.45,
        status: 'refuted',
      });
      const [row] = await test.memory.sql.all('SELECT valid_until, tombstoned FROM mem_nodes WHERE id = $node_id', {
        node_id,
      });
      expect(row).toEqual({ valid_until: '2026-03-31T12:00:00.000Z', tombstoned: 0 });
      expect(await test.text('memory_recall', { query: 'build' })).toContain('0 items');
      const traced = await test.text('memory_timeline', { topic: 'build' });
      expect(traced).toContain(`[${node_id}] 2026-01-01 · conf 0.45 — `);
      expect(traced).toMatch(new RegExp(`\\n\\(No longer true: ${node_id}\\.\\)$`));
    }));

  it('counts every confirmation of two processes', () =>
    withMemory(async (test) => {
      const node_id = await store(test, { confidence: 0.1 });
      const other = await test.another();
      const confirm = { node_id, status: 'confirm' };
      await Promise.all([test, other, test, other].map(({ ok }) => ok('memory_verify', confirm)));
      expect(await test.memory.sql.get('SELECT confidence FROM mem_nodes WHERE id = $node_id', { node_id })).toEqual({
        confidence: 0.5,
      });
    }));

  it('refuses unknown, closed, forgotten and foreign nodes', () =>
    withMemory(async (test) => {
      const closed = await store(test);
      await test.ok('memory_verify', { node_id: closed, status: 'refute' });
      const forgotten = await store(test);
      await test.ok('memory_forget', { node_id: forgotten });
      const foreign = await store(test, { namespace: 'other' });
      await test.ok('memory_switch_namespace', { namespace: 'default' });
      const confirm = (node_id: string) => test.refused('memory_verify', { node_id, status: 'confirm' });
      expect(await confirm('f_zzzzzzzz')).toMatch(
        /^not_found: There is no memory "f_zzzzzzzz" \(parameter "node_id"\)/,
      );
      expect(await confirm(foreign)).toMatch(/^not_found: /);
      expect(await confirm(closed)).toMatch(/^conflict: .* was closed at 2026-03-31T12:00:00.000Z\. /);
      expect(await confirm(forgotten)).toMatch(/^conflict: .* has been forgotten\. /);
    }));

  it('knows two statuses', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_verify', { node_id: 'f_aaaaaaaa', status: 'confirmed' })).toBe(
        'invalid_input: "status" must be one of confirm, refute. The parameters of memory_verify are node_id (required), status (required).',
      );
    }));

  it('says nothing of code where paths have no root: what is gone is reported where they have one', () => {
    const code = testCode();
    code.write('src/build.ts', 0, [{ name: 'build', text: 'build', from: 1, to: 3 }]);
    return withMemory(
      async (test) => {
        const node_id = await store(test, { entities: ['build()'] });
        code.remove('src/build.ts');
        const unavailable = { problem: 'There is no root', remedy: 'Set one' };
        const rootless = await test.another({ pid: 2, code: { ...code, unavailable } });
        await rootless.ok('memory_verify', { node_id, status: 'confirm' });
        expect(await test.ok('memory_verify_staleness')).toMatchObject({ missing: 1 });
        expect(await test.ok('review')).toMatchObject({ entries: [{ node: { id: node_id }, verdict: 'gone' }] });
        // Whoever sees the code has seen that it is gone.
        await test.ok('memory_verify', { node_id, status: 'confirm' });
        expect(await test.ok('review')).toMatchObject({ entries: [] });
      },
      { code },
    );
  });
});
