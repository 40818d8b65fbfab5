import { describe, expect, it } from 'vitest';
import * as z from 'zod/v4';
import { conflict } from '../../src/server/base/errors';
import { callTool } from '../../src/server/tools/call-tool';
import { defineTool } from '../../src/server/tools/define-tool';
import { parameterNames } from '../../src/server/tools/input';
import { MEMORY_TOOLS } from '../../src/server/tools/registry';
import { withMemory } from '../support/memory';

/** memory_import has its own suite. */
const TOOLS = MEMORY_TOOLS.filter(({ audience, name }) => audience !== 'human' && name !== 'memory_import');
const FACT = { content: 'A fact', kind: 'fact' };

/** All but the store's own id. */
const OTHER_FLAGS = `SELECT name FROM mem_flags WHERE name NOT IN ('store_id', 'written') AND name NOT LIKE 'last-write:%'`;

/** The same sentences for agents, after the code, and for people. */
const refusedWith = (code: string, said: string) => ({
  ...{ ok: false, code, text: `${code}: ${said}`, said, saidIn: expect.any(Function) },
  problem: expect.objectContaining({ code, said }),
});

describe('a call', () => {
  it.each([
    ['a text where a list is expected is a list of one', 'openStore', ['openStore']],
    ['the JSON text of a list is that list', '["openStore", "src/[id].ts"]', ['openStore', 'src/[id].ts']],
    ['a text that only begins like JSON is a name', '[id].ts', ['[id].ts']],
  ])('%s', (_, entities, names) =>
    withMemory(async (test) => {
      await test.ok('memory_store', { ...FACT, entities, confidence: '0.5' });
      const nodes = await test.ok<{ content: string }[]>('nodes', { kinds: 'entity' });
      expect(nodes.map(({ content }) => content).sort()).toEqual([...names].sort());
    }),
  );

  it('takes the JSON text of a number, and of the objects of an import', () =>
    withMemory(async (test) => {
      const nodes = JSON.stringify([FACT, { content: 'Another fact', kind: 'fact', confidence: 0.25 }]);
      expect(await test.ok('memory_import', { nodes, edges: '[]' })).toMatchObject({ imported: 2, errors: [] });
      const recalled = await test.text('memory_recall', { query: 'fact', budget_tokens: '300', min_confidence: '0.5' });
      expect(recalled).toContain('/300 tokens)');
      expect(recalled).not.toContain('Another fact');
    }));

  it.each([
    [{}, '"content" is missing'],
    [{ content: 'x' }, '"kind" is missing'],
    [{ content: null, kind: 'fact' }, '"content" is missing'],
    [{ content: 7, kind: 'fact' }, '"content" must be text'],
    [{ content: ' \n', kind: 'fact' }, '"content" is blank'],
    [{ content: '漢'.repeat(33_334), kind: 'fact' }, '"content" is longer than 100 kB: split it'],
    [{ content: '漢'.repeat(1_000_000), kind: 'fact' }, '"content" is longer than 100 kB: split it'],
    [{ ...FACT, rationale: 'x'.repeat(100_001) }, '"rationale" is longer than 100 kB: split it'],
    [{ ...FACT, confidence: 1.01 }, '"confidence" must be at most 1'],
    [{ ...FACT, confidence: -0.01 }, '"confidence" must be at least 0'],
    [{ ...FACT, confidence: 'high' }, '"confidence" must be a number'],
    [{ ...FACT, entities: 7 }, '"entities" must be a list'],
    [{ ...FACT, entities: ['CI', 7] }, '"entities[1]" must be text'],
    [{ ...FACT, entities: '["CI", 7]' }, '"entities[1]" must be text'],
    [{ ...FACT, entities: ' ' }, '"entities[0]" is blank'],
    [{ ...FACT, content: [] }, '"content" must be text'],
    [{ ...FACT, entities: ['CI', ' '] }, '"entities[1]" is blank'],
    [{ ...FACT, entities: ['x'.repeat(501)] }, '"entities[0]" must be at most 500 characters long'],
    [{ ...FACT, entities: Array(201).fill('x') }, '"entities" must have at most 200 entries'],
    [{ ...FACT, valid_from: 'soon' }, '"valid_from" is "soon", which is not an ISO-8601 date or date-time'],
    [{ ...FACT, valid_from: '2026-02-30' }, '"valid_from" is "2026-02-30"'],
    [{ ...FACT, alternatives_rejected: [{}] }, '"alternatives_rejected[0]" must be text'],
    [{ ...FACT, colour: 'red' }, '"colour" is no parameter'],
    [{ ...FACT, colour: 'red', 'a\nb': 1 }, '"colour", "a b" are no parameters'],
  ])('with %j names the parameter and what was expected', (input, problem) =>
    withMemory(async (test) => {
      const words = await test.refused('memory_store', input);
      expect(words).toMatch(/^invalid_input: /);
      expect(words).toContain(problem);
      if (!words.includes('ISO')) {
        expect(words).toContain('The parameters of memory_store are content (required), kind (required), entities,');
      }
      expect(await test.memory.sql.all('SELECT id FROM mem_nodes')).toEqual([]);
    }),
  );

  it.each([
    ['a list', []],
    ['text', 'x'],
    ['null', null],
  ])('with %s for arguments is refused', (_, input) =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_end_session', input)).toBe(
        'invalid_input: The arguments of memory_end_session are not an object. Its parameters are summary (required).',
      );
    }),
  );

  it('names the tools when there is none of that name', () =>
    withMemory(async ({ refused }) => {
      expect(await refused('memory_remember\n## forged')).toMatch(
        /^invalid_input: There is no tool "memory_remember ## forged"\. The tools are memory_store, memory_recall, /,
      );
    }));

  it('takes null for every optional parameter as if it were absent', () =>
    withMemory(async ({ ok }) => {
      const required: Record<string, object> = {
        memory_store: FACT,
        memory_recall: { query: 'fact' },
        memory_about: { entity: 'CI' },
        memory_why: { decision_ref: 'fact' },
        memory_timeline: { topic: 'fact' },
        memory_end_session: { summary: 'done' },
        memory_forget: { node_id: 'f_zzzzzzzz' },
        memory_start_session: { name: 'work' },
        memory_clear_session: { session_id: 's_zzzzzzzz' },
        memory_for_code: { file_path: 'a.ts' },
        memory_switch_namespace: { namespace: 'default' },
      };
      for (const tool of TOOLS.filter(({ name }) => !['memory_verify', 'memory_to_code'].includes(name))) {
        const nulls = Object.fromEntries(Object.keys(tool.input.shape).map((parameter) => [parameter, null]));
        await ok(tool.name, { ...nulls, ...required[tool.name] });
      }
    }));

  it('that is cancelled changes nothing', () =>
    withMemory(async ({ refused, memory }) => {
      const signal = AbortSignal.abort();
      const tool = defineTool({
        name: 'slow',
        title: 'Slow',
        description: '',
        effect: 'write',
        input: z.strictObject({}),
        run: async ({ memory: { sql }, signal: cancelled }) => {
          await sql.run(`INSERT INTO mem_flags VALUES ('slow', '1')`);
          cancelled.throwIfAborted();
        },
      });
      expect(await refused('memory_switch_namespace', { namespace: '' }, { signal })).toMatch(
        /^unavailable: The call was/,
      );
      await withMemory(async ({ project }) => {
        const answer = await callTool([tool], project, 'slow', {}, { signal });
        expect(answer).toEqual(
          refusedWith('unavailable', 'The call was cancelled. Nothing was changed. Call again if you still need it.'),
        );
        expect(await project.store.all(OTHER_FLAGS)).toEqual([]);
      });
      expect(await memory.sql.all('SELECT id FROM mem_nodes')).toEqual([]);
    }));
});

describe('an error', () => {
  it('names the parameter that is wrong, and is said in the words of any door', () =>
    withMemory(async ({ call }) => {
      const answer = await call('memory_store', { content: 'x', kind: 'fact', entities: ['a', ' '] });
      if (answer.ok) throw new Error(answer.text);
      expect(answer).toMatchObject({
        parameter: 'entities',
        said: expect.stringMatching(/^"entities\[1\]" is blank\. The/),
      });
      const said = answer.saidIn({
        parameter: ({ parameter, rest }) => `--${parameter}${rest}`,
        inParentheses: () => '',
        tool: (name) => name,
        parametersOf: () => 'See the help',
      });
      expect(said).toBe('--entities[1] is blank. See the help.');
    }));

  const failing = (error: unknown) =>
    defineTool({
      name: 'fails',
      title: 'Fails',
      description: '',
      effect: 'write',
      input: z.strictObject({}),
      run: async ({ memory }) => {
        memory.scope.namespace = 'lost';
        await memory.sql.run(`INSERT INTO mem_flags VALUES ('half', '1')`);
        throw error;
      },
    });

  it('of ours reaches the caller in its own words, and nothing was written', () =>
    withMemory(async ({ project, memory }) => {
      const answer = await callTool([failing(conflict('It is taken', 'Take another'))], project, 'fails', {});
      expect(answer).toEqual(refusedWith('conflict', 'It is taken. Take another.'));
      expect(await project.store.all(OTHER_FLAGS)).toEqual([]);
      expect(memory.scope.namespace).toBe('default');
    }));

  it('ends a reading that never would, and goes on with the next', () =>
    withMemory(async ({ project }) => {
      const endless = defineTool({
        name: 'endless',
        title: 'Endless',
        description: 'Never ends',
        effect: 'read',
        input: z.strictObject({}),
        output: z.unknown(),
        run: ({ memory }) =>
          memory.sql.all('WITH RECURSIVE r (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT sum(x) FROM r'),
      });
      const ending = callTool([endless], project, 'endless', {}, { readLimitMs: 200 });
      const beside = callTool(MEMORY_TOOLS, project, 'memory_stats', {});
      const answer = await ending;
      expect(answer).toMatchObject({ ok: false, code: 'unavailable' });
      expect(answer.text).toContain('took longer than 0.2 seconds and was ended');
      // It stood behind the endless one, and is not ended with it.
      expect((await beside).ok).toBe(true);
      expect((await callTool(MEMORY_TOOLS, project, 'memory_stats', {})).ok).toBe(true);
    }));

  it('after the transaction takes nothing back: only the log hears of it', () =>
    withMemory(async ({ project }) => {
      const told: string[] = [];
      const tool = defineTool({
        name: 'late',
        title: 'Late',
        description: '',
        effect: 'write',
        input: z.strictObject({}),
        run: async ({ memory }) => memory.sql.run(`INSERT INTO mem_flags VALUES ('kept', '1')`),
        settled: async () => {
          throw new Error('the disk');
        },
      });
      const log = (message: string) => void told.push(message);
      expect(await callTool([tool], { ...project, log }, 'late', {})).toMatchObject({ ok: true, value: 1 });
      expect(await project.store.all(OTHER_FLAGS)).toEqual([{ name: 'kept' }]);
      expect(told).toEqual([expect.stringMatching(/^after late: Error: the disk/)]);
    }));

  it('of anything else is internal: its words go to the log, never to the caller', () =>
    withMemory(async ({ project }) => {
      const logged: string[] = [];
      const listening = {
        ...project,
        log: (line: string) => void logged.push(line),
        write: project.write,
        close: project.close,
      };
      const answer = await callTool([failing(new RangeError('SQLITE_ERROR: near "secret"'))], listening, 'fails', {});
      expect(answer).toEqual({
        ok: false,
        code: 'internal',
        text: 'internal: Internal error in svc-memory (RangeError). Nothing was changed. See the log on standard error for details.',
        said: 'Internal error in svc-memory (RangeError). Nothing was changed. See the log on standard error for details.',
        saidIn: expect.any(Function),
        defect: 'RangeError',
      });
      expect(logged.join()).toMatch(/internal error: RangeError: SQLITE_ERROR: near "secret"\n\s+at /);
    }));

  it('of opening the store is an answer, too', async () => {
    const broken = () => Promise.reject(new Error('secret'));
    const logged: string[] = [];
    const answer = await callTool(MEMORY_TOOLS, broken, 'memory_stats', {}, { log: (line) => void logged.push(line) });
    expect(answer).toMatchObject({ ok: false, code: 'internal' });
    expect(answer.text).not.toContain('secret');
    expect(logged.join()).toContain('secret');
  });
});

describe('the registry', () => {
  it('holds every tool once, with a title and a description', () => {
    const names = MEMORY_TOOLS.map((tool) => tool.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { title, description } of MEMORY_TOOLS)
      for (const text of [title, description]) expect(text).toMatch(/\S/);
  });

  it('has these parameters and no others', () => {
    expect(Object.fromEntries(TOOLS.map((tool) => [tool.name, parameterNames(tool.input)]))).toMatchInlineSnapshot(`
      {
        "memory_about": "entity (required), budget_tokens",
        "memory_clear_session": "session_id (required), purge",
        "memory_end_session": "summary (required)",
        "memory_for_code": "file_path (required), line",
        "memory_forget": "node_id, entity, before, purge",
        "memory_list_sessions": "limit",
        "memory_recall": "query (required), budget_tokens, kinds, as_of, hops, min_confidence, namespace",
        "memory_start_session": "name (required), namespace",
        "memory_stats": "namespace",
        "memory_store": "content (required), kind (required), entities, confidence, valid_from, supersedes, session_id, rationale, alternatives_rejected, namespace",
        "memory_switch_namespace": "namespace (required)",
        "memory_timeline": "topic (required), since",
        "memory_to_code": "memory_id (required)",
        "memory_verify": "node_id (required), status (required)",
        "memory_verify_staleness": "queue",
        "memory_why": "decision_ref (required)",
      }
    `);
  });

  it('declares what each tool does to the store', () => {
    expect(Object.fromEntries(TOOLS.map(({ name, effect }) => [name, effect]))).toMatchInlineSnapshot(`
      {
        "memory_about": "read",
        "memory_clear_session": "destroy",
        "memory_end_session": "write",
        "memory_for_code": "read",
        "memory_forget": "destroy",
        "memory_list_sessions": "read",
        "memory_recall": "read",
        "memory_start_session": "write",
        "memory_stats": "read",
        "memory_store": "write",
        "memory_switch_namespace": "write",
        "memory_timeline": "read",
        "memory_to_code": "read",
        "memory_verify": "write",
        "memory_verify_staleness": "write",
        "memory_why": "read",
      }
    `);
  });

  it('answers in exactly the shape that it declares', () =>
    withMemory(async ({ ok }) => {
      const { node_id } = await ok<{ node_id: string }>('memory_store', { ...FACT, entities: ['CI'] });
      const asked: [string, object][] = [
        ['memory_store', { ...FACT, entities: ['CI', 'Docker'] }],
        ['memory_verify', { node_id, status: 'confirm' }],
        ['memory_stats', {}],
        ['memory_start_session', { name: 'work' }],
        ['memory_list_sessions', {}],
        ['memory_end_session', { summary: 'done' }],
        ['memory_verify_staleness', {}],
        ['memory_to_code', { memory_id: node_id }],
        ['memory_clear_session', { session_id: 's_zzzzzzzz' }],
        ['memory_forget', { node_id, purge: true }],
        ['memory_switch_namespace', { namespace: 'other' }],
      ];
      expect(asked.map(([name]) => name).sort()).toEqual(
        TOOLS.filter(({ output }) => output)
          .map(({ name }) => name)
          .sort(),
      );
      for (const [name, input] of asked) {
        const value = await ok(name, input);
        // Parsing drops what is not declared.
        expect(TOOLS.find((tool) => tool.name === name)?.output?.parse(value)).toEqual(value);
      }
    }));

  it('answers in Markdown or in an object of a declared shape, never both', () => {
    for (const { name, render, output } of TOOLS) {
      expect([name, render === undefined]).toEqual([name, output !== undefined]);
    }
  });
});
