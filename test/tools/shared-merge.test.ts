import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testCode } from '../support/code-index';
import { NOON } from '../support/memory';
import { FOLDER, note, withShared, write } from '../support/shared';

const links = (path: string, count: number): string =>
  `links:\n${Array.from({ length: count }, (_, i) => `  - { path: "${path}", type: "function", name: "f${i}", hash: "h${i}" }\n`).join('')}`;

describe('a file of a shared memory with many links', () => {
  it('can still be read when the memory takes the place of another one with many', () =>
    withShared(async (test) => {
      write(test, 'one.md', note('f_one', 'fact', 'Sessions are kept for a day', links('a.ts', 120)));
      write(test, 'other.md', note('f_other', 'fact', 'Sessions are kept for an hour', links('b.ts', 120)));
      await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' });
      const found = await test.text('memory_recall', { query: 'sessions' });
      expect(found).toContain('[f_other]');
      expect(found).not.toContain('[f_one]');
      const text = readFileSync(join(test.folder, FOLDER, 'other.md'), 'utf8');
      expect([...text.matchAll(/path: "b\.ts"/g)]).toHaveLength(120);
      expect([...text.matchAll(/path: "a\.ts"/g)]).toHaveLength(80);
    }));

  it('gives none where nobody knows what the names of the other one mean', () =>
    withShared(async (test) => {
      write(test, 'one.md', note('f_one', 'fact', 'Sessions are kept for a day', links('a.ts', 1)));
      write(test, 'other.md', note('f_other', 'fact', 'Sessions are kept for an hour', 'about: [src/hour.ts]\n'));
      await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' });
      expect(readFileSync(join(test.folder, FOLDER, 'other.md'), 'utf8')).not.toContain('links:');
    }));

  it('takes no more of them than can be read', () => {
    const code = testCode();
    code.write('c.ts', NOON, [{ name: 'gamma', text: 'gamma 1', from: 1, to: 9 }]);
    return withShared(
      async (test) => {
        const before = note('f_one', 'fact', 'Sessions are kept for a day', links('a.ts', 200));
        write(test, 'one.md', before);
        expect(await test.refused('link', { node_id: 'f_one', code: 'gamma()' })).toBe(
          `conflict: ${FOLDER}/one.md could not be read any more: it has more than 200 links. Nothing was changed.`,
        );
        expect(readFileSync(join(test.folder, FOLDER, 'one.md'), 'utf8')).toBe(before);
      },
      { code },
    );
  });
});
