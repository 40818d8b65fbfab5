import { expect, it } from 'vitest';
import { type MemoryTest, withMemory } from '../support/memory';

const store = async ({ ok }: MemoryTest, content: string, more: object = {}): Promise<unknown> =>
  ok('memory_store', { content, kind: 'fact', namespace: 'default', ...more });
const recalled = async (test: MemoryTest, query: string): Promise<string[]> =>
  [...(await test.text('memory_recall', { query, hops: 0, kinds: ['fact'] })).matchAll(/^- \[.* — (.*)$/gm)].map(
    ([, content]) => content ?? '',
  );

it.each([
  ['auth', 'Login needs a second factor'],
  ['db', 'The database is copied at night'],
  ['when do we deploy', 'The release leaves on Tuesdays'],
  ['config', 'Settings are read at start'],
  ['flaky', 'This suite is intermittent'],
  ['PR', 'Each pull request needs two approvals'],
])('"%s" finds what is said in another word: %s', (query, content) =>
  withMemory(async (test) => {
    await store(test, content);
    await store(test, 'Nothing that has to do with it');
    expect(await recalled(test, query)).toEqual([content]);
  }),
);

it('the very word and an alias come before another word for it', () =>
  withMemory(async (test) => {
    await store(test, 'It is slow', { entities: ['auth'] });
    await store(test, 'Auth is fast');
    await store(test, 'Login is old');
    expect(await recalled(test, 'auth')).toEqual(['Auth is fast', 'It is slow', 'Login is old']);
  }));

it('a long question is not widened', () =>
  withMemory(async (test) => {
    const words = Array.from({ length: 24 }, (_, i) => `word${i}x`).join(' ');
    await store(test, 'Login is old');
    expect(await recalled(test, `auth ${words}`)).toEqual([]);
  }));
