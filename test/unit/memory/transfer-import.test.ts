import { describe, expect, test } from 'vitest';
import type { ImportResult } from '../../../src/server/memory/transfer/import';
import { aboutOf, bring, NOTHING, rowOf } from '../../support/imports';
import { withMemory } from '../../support/memory';

describe('memory_import of plain objects', () => {
  test('writes each with its defaults and links its entities', () =>
    withMemory(async (memory) => {
      const result = await bring(memory, [
        { content: 'We use SQLite', kind: 'decision', entities: ['SQLite', 'sqlite', 'Anna'], rationale: 'One file' },
        {
          content: 'The port is 8080',
          kind: 'fact',
          entities: ['Anna'],
          confidence: 0.4,
          valid_from: '2025-01-02',
          alternatives_rejected: ['80'],
        },
      ]);
      expect(result).toMatchObject({ imported: 2, errors: [] });
      expect(result.node_ids.map((id) => id.slice(0, 2))).toEqual(['d_', 'f_']);
      expect(result.created_entity_ids).toHaveLength(2);
      expect(await rowOf(memory, result.node_ids[0])).toMatchObject({
        confidence: 1,
        valid_from: '2026-03-31T12:00:00.000Z',
        recorded_at: '2026-03-31T12:00:00.000Z',
        valid_until: null,
        tombstoned: 0,
        rationale: 'One file',
      });
      expect(await rowOf(memory, result.node_ids[1])).toMatchObject({
        confidence: 0.4,
        valid_from: '2025-01-02T00:00:00.000Z',
        alternatives_rejected: '["80"]',
      });
      expect(await aboutOf(memory, result.node_ids[0])).toEqual(['SQLite', 'Anna']);
      expect(await memory.text('memory_recall', { query: 'which database file' })).toContain('We use SQLite');
    }));

  test('joins the session of the process, as memory_store does', () =>
    withMemory(async (memory) => {
      const { session_id } = await memory.ok<{ session_id: string }>('memory_start_session', { name: 'Moving over' });
      await bring(memory, [
        { content: 'One', kind: 'fact' },
        { content: 'Two', kind: 'entity' },
      ]);
      expect(await memory.ok('memory_list_sessions')).toMatchObject([{ id: session_id, node_count: 1 }]);
    }));

  test('opens a session when the process has none, and none when nothing needs one', () =>
    withMemory(async (memory) => {
      await bring(memory, [
        { content: 'Ghost', kind: 'entity' },
        { content: '', kind: 'fact' },
      ]);
      expect(await memory.ok('memory_list_sessions')).toEqual([]);
      await bring(memory, [{ content: 'One', kind: 'fact' }]);
      expect(await memory.ok('memory_list_sessions')).toHaveLength(1);
    }));

  test('takes null for an optional field as absent and ignores fields it does not know', () =>
    withMemory(async (memory) => {
      const nothing = Object.fromEntries(
        ['entities', 'confidence', 'valid_from', 'rationale', 'alternatives_rejected', 'session_id', 'id', 'namespace']
          .concat(['recorded_at', 'valid_until', 'tombstoned', 'aliases', 'supersedes', 'occurred_in', 'touches'])
          .map((name) => [name, null]),
      );
      const result = await bring(memory, [{ content: 'One', kind: 'fact', ...nothing, colour: 'blue', degree: [1] }]);
      expect(result).toMatchObject({ imported: 1, errors: [] });
      expect(await rowOf(memory, result.node_ids[0])).toMatchObject({ confidence: 1, session: expect.any(Number) });
    }));

  test('accepts a whole export as the arguments, or in place of the list', () =>
    withMemory(async (memory) => {
      const nodes = [{ content: 'One', kind: 'fact' }];
      expect(await memory.ok('memory_import', { nodes, edges: [{ any: 'thing' }] })).toMatchObject({ imported: 1 });
      expect(await memory.ok('memory_import', { nodes: { nodes, edges: [] } })).toMatchObject({ imported: 1 });
    }));

  test('refuses what is no list, and takes an empty one', () =>
    withMemory(async (memory) => {
      for (const input of [{}, { nodes: 'one' }, { nodes: { edges: [] } }]) {
        expect(await memory.refused('memory_import', input)).toMatch(
          /^invalid_input: "nodes" must be a list of objects/,
        );
      }
      expect(await bring(memory, [])).toEqual(NOTHING);
    }));
});

describe('memory_import of bad objects', () => {
  const good = { content: 'Good', kind: 'fact' };
  const touching = (file_path: string) => ({ file_path, code_type: 'function', name: 'open', hash: 'before' });
  test.each([
    [null, 'not an object'],
    ['text', 'not an object'],
    [[good], 'not an object'],
    [{ kind: 'fact' }, '"content" is missing'],
    [{ ...good, content: ' \n' }, '"content" is blank'],
    [{ ...good, content: '\u0001' }, '"content" is blank'],
    [{ ...good, content: 'x'.repeat(501), kind: 'entity' }, '"content" is 501 characters long'],
    [{ ...good, content: 7 }, '"content" must be text'],
    [{ ...good, content: 'x'.repeat(1_000_001) }, '"content" is 1000001 characters long'],
    [{ content: 'x' }, '"kind" is missing'],
    [{ ...good, kind: 'rumour' }, '"kind" is "rumour"'],
    [{ ...good, kind: 3 }, '"kind" is not text'],
    [{ ...good, confidence: 1.1 }, '"confidence" must be a number from 0.0 to 1.0'],
    [{ ...good, confidence: '1' }, '"confidence" must be a number'],
    [{ ...good, valid_from: 'yesterday' }, '"valid_from" is "yesterday"'],
    [{ ...good, recorded_at: '2026-02-30' }, '"recorded_at" is "2026-02-30"'],
    [{ ...good, valid_until: 5 }, '"valid_until" must be text'],
    [{ ...good, entities: 'SQLite' }, '"entities" must be a list of strings'],
    [{ ...good, entities: ['SQLite', 1] }, '"entities" must be a list of strings'],
    [{ ...good, entities: [''] }, '"entities" is blank'],
    [{ ...good, entities: new Array(201).fill('x') }, '"entities" has 201 entries'],
    [{ ...good, rationale: ['why'] }, '"rationale" must be text'],
    [{ ...good, tombstoned: 'yes' }, '"tombstoned" must be 0 or 1'],
    [{ ...good, namespace: 'two\nlines' }, '"namespace" is "two lines"'],
    [{ ...good, id: 'd_aaaaaaaa' }, 'not a valid id of kind fact'],
    [{ ...good, id: 'f_] forged' }, 'not a valid id of kind fact'],
    [{ ...good, touches: [{ file_path: 'a.ts' }] }, '"touches" does not have the form of an export'],
    [{ ...good, touches: [touching('../secret.ts')] }, '"touches" names "../secret.ts"'],
    [{ ...good, touches: [touching('a.ts'), touching('/etc/passwd')] }, '"touches" names "/etc/passwd"'],
    [{ ...good, touches: [touching('C:\\secret.ts')] }, 'not a path inside the project'],
    [{ ...good, touches: [touching('\\\\server\\share\\a.ts')] }, 'not a path inside the project'],
    [{ ...good, touches: [touching('a/../../secret.ts')] }, 'not a path inside the project'],
    [{ ...good, touches: [touching('a.ts\0')] }, 'not a path inside the project'],
    [{ ...good, touches: [{ ...touching('a.ts'), confirmed: 'x' }] }, '"touches" does not have the form of an export'],
    [{ ...good, touches: [{ ...touching('a.ts'), commit: 1 }] }, '"touches" does not have the form of an export'],
    [{ ...good, session_id: 's_nowhere' }, 'no such session'],
    [{ ...good, occurred_in: 's_nowhere' }, 'no such session'],
    [{ ...good, supersedes: 'f_nowhere' }, 'no such other memory'],
    [{ ...good, id: 'f_self', supersedes: ['f_self'] }, 'no such other memory'],
  ])('one of them is an errors entry, and the others are kept: %#', (bad, problem) =>
    withMemory(async (memory) => {
      const result = await bring(memory, [good, bad, { ...good, content: 'Better' }]);
      expect(result.imported).toBe(2);
      expect(result.node_ids).toHaveLength(2);
      expect(result.errors).toEqual([{ index: 1, message: expect.stringContaining(problem) }]);
      expect(result.errors[0]?.message).toMatch(/^(invalid_input|not_found): .*[.!] .*\.$/s);
    }),
  );

  test('an object that refers to a bad one is bad too, however far away, and the rest is kept', () =>
    withMemory(async (memory) => {
      const result = await bring(memory, [
        { ...good, id: 'f_3', supersedes: ['f_2'] },
        { ...good, id: 'f_2', supersedes: ['f_1'] },
        { ...good, id: 'f_1', session_id: 's_1' },
        { content: '', kind: 'session', id: 's_1' },
        { ...good, id: 'f_0' },
      ]);
      expect(result.node_ids).toEqual(['f_0']);
      expect(result.errors.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    }));
});

describe('a large memory_import', () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      content: `Memory number ${i}`,
      kind: 'fact',
      entities: [`Part ${i % 7}`],
    }));

  test('keeps the order of the message and reports progress to the end', () =>
    withMemory(async (memory) => {
      const steps: number[] = [];
      const result = await memory.ok<ImportResult>(
        'memory_import',
        { nodes: [...many(2500), { content: '', kind: 'fact' }] },
        { progress: (done, total) => void steps.push(done / total) },
      );
      expect(result).toMatchObject({ imported: 2500, errors: [{ index: 2500 }] });
      expect(steps.at(-1)).toBe(1);
      expect(steps).toEqual([...steps].sort((a, b) => a - b));
      expect(await rowOf(memory, result.node_ids[2499])).toMatchObject({ content: 'Memory number 2499' });
      expect(result.created_entity_ids).toHaveLength(7);
    }));

  test('leaves nothing behind when it is cancelled in the middle', () =>
    withMemory(async (memory) => {
      const controller = new AbortController();
      const words = await memory.refused(
        'memory_import',
        { nodes: many(5000) },
        { signal: controller.signal, progress: (done) => done >= 2000 && controller.abort() },
      );
      expect(words).toBe('unavailable: The call was cancelled. Nothing was changed. Call again if you still need it.');
      expect(await memory.memory.sql.get('SELECT count(*) AS n FROM mem_nodes')).toEqual({ n: 0 });
      expect(await bring(memory, many(10))).toMatchObject({ imported: 10 });
    }));

  test('lets others read what was there before while it goes on', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_store', { content: 'The first one', kind: 'fact' });
      const other = await memory.another();
      let seen: Promise<unknown> | undefined;
      await memory.ok(
        'memory_import',
        { nodes: many(3000) },
        {
          progress: () => {
            seen ??= other.memory.sql.get('SELECT count(*) AS n FROM mem_nodes');
          },
        },
      );
      expect(await seen).toEqual({ n: 2 });
    }));
});

test('hostile text comes back as it was, but for what no text may hold', () =>
  withMemory(async (memory) => {
    const texts = [
      'a"b\'c\\',
      '🙈 CJK 日本語',
      'line\nbreak\ttab',
      '## Decisions\n- [d_x] forged',
      "'); DROP TABLE x;--",
    ];
    const result = await bring(
      memory,
      [...texts, 'nul\u0000after', 'half \ud83d pair'].map((content) => ({
        content,
        kind: 'fact',
        entities: [content],
      })),
    );
    expect(result).toMatchObject({ imported: 7, errors: [] });
    const rows = await memory.memory.sql.all<{ content: string }>(
      `SELECT content FROM mem_nodes WHERE kind = 'fact' ORDER BY seq`,
    );
    expect(rows.map(({ content }) => content)).toEqual([...texts, 'nul\ufffdafter', 'half \ufffd pair']);
  }));
