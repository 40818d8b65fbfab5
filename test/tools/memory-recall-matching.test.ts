import { describe, expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<string> =>
  (await ok<{ node_id: string }>('memory_store', { content, kind: 'fact', namespace: 'default', ...more })).node_id;
const recalled = async (test: MemoryTest, query: string, more: object = {}): Promise<string[]> =>
  [...(await test.text('memory_recall', { query, hops: 0, ...more })).matchAll(/^- \[.* — (.*)$/gm)].map(
    ([, content]) => content ?? '',
  );

const FILLERS = ['Alpha beta gamma', 'Delta epsilon zeta', 'Eta theta iota', 'Kappa lambda mu', 'Nu xi omicron'];

it.each(['A1', '漢', 'éA', 'a_'])('a query of 600,000 characters without a space is answered: %s…', (text) =>
  withMemory(async (test) => {
    expect(await recalled(test, text.repeat(600_000 / text.length))).toEqual([]);
    expect(await test.text('memory_why', { decision_ref: text.repeat(600_000 / text.length) })).not.toBe('');
  }),
);

describe('a query finds a memory', () => {
  it.each([
    ['by its words', 'Backups run at night', 'night backups'],
    ['by one word of many', 'Backups run at night', 'when do the old backups of the server happen'],
    ['by another form', 'We migrated the databases', 'database migration'],
    ['by an irregular form', 'Anna wrote the parser', 'who writes parsers'],
    ['by a prefix', 'Authentication uses passkeys', 'auth'],
    ['by a part of a camelCase name', 'parseHttpRequest is slow', 'http request'],
    ['by a part of a snake_case name', 'max_retry_count is 5', 'retry'],
    ['by a whole identifier written otherwise', 'getUserName is deprecated', 'GETUSERNAME'],
    ['without its accents', 'The café closes at ten', 'cafe'],
    ['in Chinese', '数据库迁移需要先备份', '迁移'],
    ['in Chinese by one character', '数据库迁移需要先备份', '库'],
    ['in Japanese', 'データベースの移行は夜に行う', '移行'],
    ['in Korean', '데이터베이스 백업', '백업'],
    ['in Thai', 'ฐานข้อมูลต้องสำรองก่อน', 'ข้อมูล'],
    ['in Arabic', 'قاعدة البيانات بطيئة', 'البيانات'],
    ['by an emoji', 'Deploys 🚀 are on Friday', '🚀'],
    ['by C++', 'The core is C++', 'c++'],
    ['by a number', 'Port 8443 is open', '8443'],
    ['through operators and quotes', 'Backups run at night', '"backups" AND (NOT night* OR ^x) NEAR/3 -y'],
    ['through punctuation alone around it', 'Backups run at night', '¿¡...backups!?;--'],
    ['by question words alone', 'What is where', 'what where'],
  ])('%s', (_, content, query) =>
    withMemory(async (test) => {
      for (const filler of FILLERS) await store(test, filler);
      await store(test, content);
      expect((await recalled(test, query))[0]).toBe(content);
    }),
  );

  it('by the name and by an alias of an entity it is about', () =>
    withMemory(async (test) => {
      await store(test, 'It is slow', { entities: ['PaymentService'] });
      await test.project.store.transact((sql) =>
        sql.run(
          `INSERT INTO mem_entity_names SELECT 1, 'billing', seq, 'Billing' FROM mem_nodes WHERE kind = 'entity'`,
        ),
      );
      await store(test, 'It is old', { entities: ['billing'] });
      expect(await recalled(test, 'payment service', { kinds: ['fact'] })).toEqual(
        expect.arrayContaining(['It is slow', 'It is old']),
      );
      expect(await recalled(test, 'billing', { kinds: ['fact'] })).toContain('It is old');
    }));

  it('by its rationale and rejected alternatives', () =>
    withMemory(async (test) => {
      await store(test, 'Use SQLite', {
        kind: 'decision',
        rationale: 'embeddable',
        alternatives_rejected: ['LevelDB'],
      });
      expect(await recalled(test, 'embeddable')).toEqual(['Use SQLite']);
      expect(await recalled(test, 'leveldb')).toEqual(['Use SQLite']);
    }));

  it('by a question word where the rarer word is known only elsewhere', () =>
    withMemory(async (test) => {
      await store(test, 'zebra', { namespace: 'other' });
      await store(test, 'What is where', { namespace: 'default' });
      expect(await recalled(test, 'where zebra')).toEqual(['What is where']);
    }));

  it('with a query of 100 kB in which one word is right', () =>
    withMemory(async (test) => {
      await store(test, 'Backups run at night');
      const query = `${'lorem ipsum dolor sit amet '.repeat(4000)} backups`;
      expect(await recalled(test, query)).toEqual(['Backups run at night']);
    }));

  it('as soon as it is stored, by any process', () =>
    withMemory(async (test) => {
      const other = await test.another();
      expect(await recalled(other, 'backups')).toEqual([]);
      await store(test, 'Backups run at night');
      expect(await recalled(other, 'backups')).toEqual(['Backups run at night']);
    }));
});

describe('the order', () => {
  it('puts exact forms above stems, and more matching words above fewer', () =>
    withMemory(async (test) => {
      await store(test, 'The index is small');
      await store(test, 'Indexing of pages');
      await store(test, 'Index pages twice');
      expect((await recalled(test, 'index pages'))[0]).toBe('Index pages twice');
      expect((await recalled(test, 'indexing'))[0]).toBe('Indexing of pages');
    }));

  it('is not turned by how new, how used or how linked a memory is', () =>
    withMemory(async (test) => {
      await store(test, 'The cache of the web server holds pages', { valid_from: '2020-01-01' });
      await store(test, 'The cache', { entities: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] });
      for (let i = 0; i < 5; i++) await test.text('memory_about', { entity: 'a' });
      await test.project.uses.flush();
      expect((await recalled(test, 'web server cache pages'))[0]).toBe('The cache of the web server holds pages');
    }));

  it('prefers the newer of two that are alike', () =>
    withMemory(async (test) => {
      await store(test, 'The cache holds 2 GB', { valid_from: '2026-03-01' });
      await store(test, 'The cache holds 1 GB', { valid_from: '2025-01-01' });
      expect((await recalled(test, 'cache'))[0]).toBe('The cache holds 2 GB');
    }));

  it('prefers what became valid at the time that the question names', () =>
    withMemory(async (test) => {
      for (const month of ['01', '02', '03']) {
        await store(test, `The review of month ${month}`, { valid_from: `2026-${month}-10` });
      }
      expect((await recalled(test, 'review in February', { hops: 1 }))[0]).toBe('The review of month 02');
    }));
});
