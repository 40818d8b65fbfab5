import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HIDDEN, HIDING, JOINED } from '../support/hostile-texts';
import { type MemoryTest, ON_FILE, withMemory } from '../support/memory';
import { openSqlite } from '../support/sqlite';

/** Everywhere that a text can be stored, and all that is kept of it. */
async function storeEverywhere(test: MemoryTest, text: string): Promise<unknown> {
  await test.ok('memory_start_session', { name: text });
  await test.ok('memory_store', {
    ...{ content: text, kind: 'decision', rationale: text, alternatives_rejected: [text], entities: [text] },
    // Else it would be the same as before.
    valid_from: '2026-03-31',
  });
  await test.ok('memory_end_session', { summary: text });
  await test.ok('memory_import', {
    nodes: [
      { kind: 'fact', content: `${text} 2`, rationale: text, alternatives_rejected: [text], entities: [text] },
      { kind: 'entity', content: `${text} 3`, aliases: [`${text} 4`] },
    ],
  });
  const rows = await test.memory.sql.all(
    'SELECT kind, content, rationale, alternatives_rejected FROM mem_nodes ORDER BY seq DESC LIMIT 8',
    {},
  );
  const aliases = await test.memory.sql.all(
    'SELECT alias FROM mem_entity_names WHERE alias IS NOT NULL ORDER BY entity DESC LIMIT 2',
    {},
  );
  return [rows, aliases];
}

/** The five views, and the objects that agents read, of a store whose texts all hold "zebra". */
async function views(test: MemoryTest): Promise<Record<string, string>> {
  const [decision] = await test.memory.sql.all<{ id: string }>("SELECT id FROM mem_nodes WHERE kind = 'decision'", {});
  const asked: Record<string, [string, object]> = {
    recall: ['memory_recall', { query: 'zebra', budget_tokens: 20_000 }],
    about: ['memory_about', { entity: 'zebra', budget_tokens: 20_000 }],
    why: ['memory_why', { decision_ref: decision?.id }],
    timeline: ['memory_timeline', { topic: 'zebra' }],
    resource: ['node', { id: decision?.id }],
    sessions: ['memory_list_sessions', {}],
    stats: ['memory_stats', {}],
  };
  const texts: Record<string, string> = {};
  for (const [name, [tool, input]] of Object.entries(asked)) {
    const answer = await test.call(tool, input);
    if (!answer.ok) throw new Error(answer.text);
    const { db_size_bytes: _, ...value } = Object(answer.value);
    texts[name] = tool === 'memory_stats' ? JSON.stringify(value) : answer.text;
    // As objects, too: that is what clients and the editor take.
    texts[`${name}, as a value`] = JSON.stringify(tool === 'memory_stats' ? value : answer.value);
  }
  return texts;
}

describe('invisible text', () => {
  it('is not stored, wherever a text is given', async () => {
    const kept = await Promise.all(
      [0, 1].map(async (which) => {
        const rows: unknown[] = [];
        await withMemory(async (test) => {
          for (const texts of HIDING) rows.push(await storeEverywhere(test, texts[which as 0 | 1]));
        });
        return rows;
      }),
    );
    for (const [i, [text]] of HIDING.entries()) expect(kept[0]?.[i], JSON.stringify(text)).toEqual(kept[1]?.[i]);
    expect(JSON.stringify(kept[0]?.[0])).toContain('"zebra"');
  });

  // Which no other program writes into an engine.
  it.runIf(ON_FILE)('is not printed, where a store holds it from elsewhere or from before', () =>
    withMemory(async (test) => {
      await test.ok('memory_start_session', { name: 'zebra' });
      await test.ok('memory_store', {
        ...{ content: 'zebra', kind: 'decision', rationale: 'zebra', alternatives_rejected: ['zebra'] },
        entities: ['zebra'],
      });
      await test.ok('memory_end_session', { summary: 'zebra' });
      const plain = await views(test);
      for (const [text, seen] of HIDING) {
        const sqlite = await openSqlite(join(test.folder, '.svc', 'memory.db'));
        const set = (one: string) => `UPDATE mem_nodes SET content = '${one}',
          rationale = iif(rationale IS NULL, NULL, '${one}'),
          alternatives_rejected = iif(alternatives_rejected IS NULL, NULL, '["${one}"]')`;
        await sqlite.all(set(text));
        const texts = await views(test);
        await sqlite.all(set(seen));
        const expected = seen === 'zebra' ? plain : await views(test);
        await sqlite.close();
        // The counters of use move, as they do with any text.
        expect(texts, JSON.stringify(text)).toEqual(expected);
      }
    }),
  );

  it('makes no other entity of a name', () =>
    withMemory(async (test) => {
      const { created_entity_ids } = await test.ok<{ created_entity_ids: string[] }>('memory_store', {
        ...{ content: 'x', kind: 'fact', entities: ['zebra'] },
      });
      for (const hidden of HIDDEN) {
        const name = `ze${hidden}bra`;
        const stored = await test.ok('memory_store', {
          content: 'y',
          kind: 'fact',
          entities: [name, `${name}${hidden}`],
        });
        expect(stored).toMatchObject({ linked_entity_ids: created_entity_ids, created_entity_ids: [] });
        const nodes = [
          { kind: 'fact', content: 'z', entities: [name] },
          { kind: 'entity', content: name },
        ];
        expect(await test.ok('memory_import', { nodes })).toMatchObject({ imported: 1, created_entity_ids: [] });
        expect(await test.text('memory_about', { entity: name })).toContain('about:zebra');
      }
    }));

  it('is nothing: a text that holds nothing else is refused as a blank one is', () =>
    withMemory(async (test) => {
      for (const hidden of [...HIDDEN, '\u2800', `${HIDDEN.slice(0, 40).join('')}\n`]) {
        for (const [tool, input] of [
          ['memory_store', { content: hidden, kind: 'fact' }],
          ['memory_store', { content: 'x', kind: 'fact', entities: [hidden] }],
          ['memory_store', { content: 'x', kind: 'decision', rationale: hidden }],
          ['memory_start_session', { name: hidden }],
          ['memory_end_session', { summary: hidden }],
          ['memory_recall', { query: hidden }],
        ] as const) {
          expect(await test.refused(tool, input), JSON.stringify(hidden)).toMatch(/^invalid_input: .* is blank\./);
        }
        const nodes = [{ kind: 'fact', content: hidden }];
        expect(await test.ok('memory_import', { nodes })).toMatchObject({
          imported: 0,
          errors: [{ message: expect.stringContaining('"content" is blank') }],
        });
      }
    }));

  it('does not hide a word from search', () =>
    withMemory(async (test) => {
      await test.ok('memory_store', { content: 'Passwords l\u00adive in the va\u200bult…', kind: 'fact' });
      expect(await test.text('memory_recall', { query: 'vault' })).toContain('live in the vault');
      expect(await test.text('memory_recall', { query: 'Straßenbahn — va\u2060ult' })).toContain('live in the vault');
    }));

  it.each(JOINED)('that letters and emoji need is stored and printed byte for byte: %s', (text) =>
    withMemory(async (test) => {
      await test.ok('memory_start_session', { name: `zebra ${text}` });
      await test.ok('memory_store', {
        ...{ content: `zebra ${text}`, kind: 'decision', rationale: text, alternatives_rejected: [text] },
        entities: ['zebra', text],
      });
      const texts = await views(test);
      for (const [name, answer] of Object.entries(texts)) {
        // Numbers only, and names.
        if (!name.startsWith('stats') && !name.startsWith('sessions')) expect(answer, name).toContain(`zebra ${text}`);
      }
      expect(JSON.parse(texts.sessions ?? '')).toMatchObject([{ content: `zebra ${text}` }]);
      expect(await test.text('memory_about', { entity: text, budget_tokens: 2_000 })).toContain(
        `"about:${text.replaceAll('"', "'")}"`,
      );
    }),
  );
});
