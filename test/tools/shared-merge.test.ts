import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { NodeHistory } from '../../src/server/memory/history/node-history';
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

  it('is in the history of both, whose last change it is, until it is taken back', () =>
    withShared(async (test) => {
      write(test, 'one.md', note('f_one', 'fact', 'Sessions are kept for a day'));
      write(test, 'other.md', note('f_other', 'fact', 'Sessions are kept for one day'));
      const last = async (id: string) => (await test.ok<NodeHistory>('history', { id })).events.at(-1);
      await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: 'f_other' });
      const replaced = await last('f_one');
      expect(replaced).toMatchObject({ action: 'supersede', other_id: 'f_other' });
      const { operation } = replaced ?? {};
      expect(await last('f_other')).toMatchObject({ action: 'replace', other_id: 'f_one', operation });
      expect(await test.text('history', { id: 'f_other' })).toMatch(/ took the place of f_one · /);
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

describe('the file of what takes the place of another shared memory', () => {
  const reasons = '\n\n## Why\n\nTokens are short.\n\n## Rejected\n\n* Never\n* For a week\n';
  const older = note('f_one', 'fact', 'Sessions are kept for a day').trimEnd() + reasons;

  const merged = async (newer: string, from = older): Promise<string> => {
    let found = '';
    await withShared(async (test) => {
      write(test, 'one.md', from);
      write(test, 'other.md', newer);
      const id = /^id: (.+)$/m.exec(newer)?.[1] ?? '';
      await test.ok('settle', { action: 'merge', node_id: 'f_one', other_id: id });
      found = readFileSync(join(test.folder, FOLDER, 'other.md'), 'utf8');
      expect(await test.ok('node', { id })).toMatchObject({ supersedes: [{ id: 'f_one' }] });
    });
    return found;
  };
  const head = (id: string, fields: string): string =>
    `---\n${fields}date: 2026-03-01\nid: ${id}\nsupersedes:\n  - f_one\n---\n\n`;

  it('has its reasons', async () => {
    const text = 'Sessions are kept for an hour';
    expect(await merged(note('f_other', 'fact', text))).toBe(`${head('f_other', 'kind: fact\n')}${text}${reasons}`);
  });

  it('keeps reasons of its own', async () => {
    const own = 'Sessions are kept for an hour\n\n## Rejected\n\n- Always\n\n## See also\n\nThe manual.';
    const all = own.replace('## Rejected', '## Why\n\nTokens are short.\n\n## Rejected');
    expect(await merged(note('f_other', 'fact', own))).toBe(`${head('f_other', 'kind: fact\n')}${all}\n`);
  });

  const decision = (title: string, more: string): string =>
    note('d_other', 'decision', `# ${title}\n\n${more}`).replace('kind: decision', 'status: accepted');
  const options = (title: string): string => `## Considered Options\n\n* ${title}\n* Never\n* For a week`;

  it.each(['Sessions last', 'Sessions "last" $& longer'])(
    'has them where a decision is recorded as %s',
    async (title) => {
      const outcome = `## Decision Outcome\n\nChosen option: "${title}"`;
      expect(await merged(decision(title, `${outcome}\n\n### Consequences\n`))).toBe(
        `${head('d_other', 'status: accepted\n')}# ${title}\n\n${options(title)}\n\n${outcome}, because Tokens are short.\n\n### Consequences\n\n`,
      );
    },
  );

  it('has what there is a place for where people recorded a decision in their own way', async () => {
    const body = '## Decision\n\nWe keep them for an hour.';
    expect(await merged(decision('Sessions last', body))).toBe(
      `${head('d_other', 'status: accepted\n')}# Sessions last\n\n${body}\n\n${options('Sessions last')}\n`,
    );
  });
});
