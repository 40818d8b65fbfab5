import { describe, expect, test } from 'vitest';
import { consolidate } from '../../../src/server/memory/consolidation/consolidate';
import { entityVariants } from '../../../src/server/memory/consolidation/entity-variants';
import { exportStore } from '../../../src/server/memory/transfer/export';
import { type MemoryTest, withMemory } from '../../support/memory';

const DEFAULT_NS = 1;

const entities = (memory: MemoryTest, ...names: string[]) =>
  memory.ok('memory_import', { nodes: names.map((content) => ({ content, kind: 'entity' })) });

const variantsOf = async (memory: MemoryTest) =>
  (await entityVariants(memory.memory, DEFAULT_NS)).map(({ kept, variant }) => [kept.name, variant.name]);

describe('spelling variants', () => {
  test.each([
    ['auth service', 'auth-service'],
    ['auth service', 'auth_service'],
    ['auth service', 'AuthService'],
    ['Auth Service', 'authService'],
    ['authservice', 'Auth Service'],
    ['HTTPServer', 'http server'],
    ['auth service', 'Auth Services'],
    ['migration', 'Migrations'],
    ['repository', 'repositories'],
    ['mailbox', 'mailboxes'],
    ['API', 'APIs'],
    ['node 20 worker', 'Node20Workers'],
  ])('%s and %s are one', (kept, variant) =>
    withMemory(async (memory) => {
      await entities(memory, kept, variant);
      expect(await variantsOf(memory)).toEqual([[kept, variant]]);
    }),
  );

  test.each([
    ['log4j', 'log5j'],
    ['node 20', 'node 22'],
    ['step 1-2', 'step 12'],
    ['service', 'service 2'],
    ['C', 'C++'],
    ['src/my-file.ts', 'src/my_file.ts'],
    ['my-file.ts', 'my_file.ts'],
    ['parse()', 'Parse-()'],
    ['parse()', 'Parse()'],
    ['src/a.js#sendFile', 'src/a.js#sendfile'],
    ['src/View.ts', 'src/view.ts'],
    ['response.sendFileOfUser', 'response.sendFile_of_user'],
    ['William', 'Williams'],
    ['AWS', 'AW'],
    ['redis', 'redi'],
    ['class', 'clas'],
    ['auth service', 'oauth service'],
    ['日本', '日本語'],
    ['-', '_'],
  ])('%s and %s are two', (one, other) =>
    withMemory(async (memory) => {
      await entities(memory, one, other);
      expect(await variantsOf(memory)).toEqual([]);
    }),
  );

  test('the one with more memories is kept, then the older', () =>
    withMemory(async (memory) => {
      await entities(memory, 'Auth Service', 'rate-limit', 'RateLimit');
      for (const content of ['One', 'Two']) {
        await memory.ok('memory_store', { content, kind: 'fact', entities: ['auth-service'] });
      }
      await memory.ok('memory_store', { content: 'Three', kind: 'fact', entities: ['Auth Service'] });
      expect(await variantsOf(memory)).toEqual([
        ['auth-service', 'Auth Service'],
        ['rate-limit', 'RateLimit'],
      ]);
    }));

  test('an alias counts as a name, but never joins names that differ in digits', () =>
    withMemory(async (memory) => {
      await memory.ok('memory_import', {
        nodes: [
          { content: 'PostgreSQL', kind: 'entity', aliases: ['pg-server'] },
          { content: 'PgServer', kind: 'entity' },
          { content: 'Python 3', kind: 'entity', aliases: ['python-lang'] },
          { content: 'PythonLang', kind: 'entity' },
        ],
      });
      expect(await variantsOf(memory)).toEqual([['PostgreSQL', 'PgServer']]);
    }));

  test('forgotten entities are left alone', () =>
    withMemory(async (memory) => {
      const { linked_entity_ids } = await memory.ok<{ linked_entity_ids: string[] }>('memory_store', {
        content: 'One',
        kind: 'fact',
        entities: ['auth-service', 'AuthService'],
      });
      await memory.ok('memory_forget', { node_id: linked_entity_ids[1] });
      expect(await variantsOf(memory)).toEqual([]);
    }));
});

describe('merging', () => {
  async function merged(memory: MemoryTest) {
    await memory.ok('memory_store', { content: 'It signs tokens', kind: 'fact', entities: ['AuthService', 'Tokens'] });
    await memory.ok('memory_store', { content: 'It checks passwords', kind: 'fact', entities: ['AuthService'] });
    const both = await memory.ok<{ node_id: string }>('memory_store', {
      content: 'It was split off',
      kind: 'decision',
      entities: ['auth_service', 'AuthService'],
      rationale: 'Too large',
    });
    await memory.ok('memory_store', { content: 'It is written in Go', kind: 'fact', entities: ['auth_service'] });
    await memory.ok('memory_end_session', { summary: 'Looked around' });
    const [report] = (await consolidate(memory.project)).namespaces;
    return { report, both };
  }

  test('makes the variant an alias under which everything is found', () =>
    withMemory(async (memory) => {
      const { report } = await merged(memory);
      expect(report?.merged).toMatchObject([{ kept: { name: 'AuthService' }, variant: { name: 'auth_service' } }]);
      for (const entity of ['AuthService', 'auth_service', 'AUTH_SERVICE']) {
        const dossier = await memory.text('memory_about', { entity });
        for (const text of ['signs tokens', 'checks passwords', 'split off', 'written in Go']) {
          expect(dossier).toContain(text);
        }
      }
      expect(await memory.ok('memory_stats')).toMatchObject({
        top_entities: [
          { content: 'AuthService', degree: 4 },
          { content: 'Tokens', degree: 1 },
        ],
      });
      // Each memory is found by words of either name, and by what stands around its content as before.
      const recalled = (query: string) => memory.text('memory_recall', { query, hops: 0, kinds: ['fact', 'decision'] });
      expect(await recalled('authservice')).toContain('written in Go');
      expect(await recalled('auth service')).toContain('signs tokens');
      expect(await recalled('too large')).toContain('split off');
      const again = await memory.ok<{ linked_entity_ids: string[]; created_entity_ids: string[] }>('memory_store', {
        content: 'Later',
        kind: 'fact',
        entities: ['Auth_Service'],
      });
      expect(again).toMatchObject({ linked_entity_ids: [report?.merged[0]?.kept.id], created_entity_ids: [] });
    }));

  test('closes the variant by SUPERSEDES, and an export brings all of it back', () =>
    withMemory(async (memory) => {
      const { report } = await merged(memory);
      const { kept, variant } = report?.merged[0] ?? {};
      expect(
        await memory.memory.sql.get(
          `SELECT old.valid_until IS NOT NULL AS closed, old.tombstoned, new.id FROM mem_nodes AS old
           JOIN mem_edges AS e ON e.type = 'SUPERSEDES' AND e.dst = old.seq JOIN mem_nodes AS new ON new.seq = e.src
           WHERE old.id = $id`,
          { id: variant?.id ?? '' },
        ),
      ).toEqual({ closed: 1, tombstoned: 0, id: kept?.id });
      const text = await exported(memory);
      await withMemory(async (copy) => {
        expect(await copy.ok('memory_import', JSON.parse(text))).toMatchObject({ errors: [], created_entity_ids: [] });
        expect(await exported(copy)).toBe(text);
        expect(await copy.text('memory_about', { entity: 'auth_service' })).toContain('signs tokens');
      });
    }));

  test('a merged entity can be merged again', () =>
    withMemory(async (memory) => {
      await merged(memory);
      for (const content of ['a', 'b', 'c', 'd', 'e', 'f']) {
        await memory.ok('memory_store', { content: `Fact ${content}`, kind: 'fact', entities: ['auth-service'] });
      }
      const report = await consolidate(memory.project, { everything: true });
      expect(report.namespaces[0]?.merged).toMatchObject([
        { kept: { name: 'auth-service' }, variant: { name: 'AuthService' } },
      ]);
      for (const entity of ['auth_service', 'AuthService']) {
        expect(await memory.text('memory_about', { entity })).toContain('signs tokens');
      }
      expect(await entityVariants(memory.memory, DEFAULT_NS)).toEqual([]);
    }));
});

async function exported(memory: MemoryTest): Promise<string> {
  let text = '';
  await exportStore(memory.project.store, (piece) => {
    text += piece;
  });
  return text;
}
