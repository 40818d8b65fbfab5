import { describe, expect, it } from 'vitest';
import { docLine, memoryLine, sectionLine } from '../../../src/server/render/code-answer';
import { type CodeChange, describeChange } from '../../../src/server/render/code-change';
import { renderReview, type ShownReview } from '../../../src/server/render/review';

const LONG = 'x'.repeat(1_000);
const cutAt = (length: number): string => `${'x'.repeat(length - 1)}…`;
const VALID_FROM = '2026-03-31T12:00:00.000Z';

describe('a line below a symbol', () => {
  it('of a document holds 120 characters of its heading and 160 of the reason', () => {
    const section = { document: 'guide.md', heading: LONG, start_line: 1, end_line: 9, confidence: 0.5, reason: LONG };
    expect(sectionLine({ ...section, old: false })).toBe(
      `- document guide.md:1–9 · ${cutAt(120)} · conf 0.50 — ${cutAt(160)}`,
    );
    expect(sectionLine({ ...section, heading: 'One', reason: '', old: true })).toBe(
      '- document guide.md:1–9 · One · conf 0.50 (changed since; run "svc sync")',
    );
  });

  it('of a memory holds 240 characters of it, and of a comment 200', () => {
    const memory = {
      id: 'd_bakilomu',
      kind: 'decision',
      valid_from: VALID_FROM,
      content: LONG,
      confidence: 1,
      standing: 'stored',
    } as const;
    expect(memoryLine({ ...memory, changed: false })).toBe(
      `- memory [d_bakilomu] decision · 2026-03-31 — ${cutAt(240)}`,
    );
    expect(docLine(LONG)).toBe(cutAt(200));
  });
});

describe('what happened to a symbol', () => {
  const was = { file_path: 'a.ts', code_type: 'function', name: 'open' };
  const file = { file_path: 'a.ts', code_type: 'file', name: 'a.ts' };
  const HERE = { file_path: 'a.ts', name: 'open' };
  it.each<[string, CodeChange]>([
    ['stands where it was', { verdict: 'unchanged', was, now: HERE }],
    ['changed', { verdict: 'changed', was, now: HERE }],
    ['changed since 2026-03-31', { verdict: 'changed', was, now: HERE, since: VALID_FROM }],
    ['renamed from open', { verdict: 'moved', was, now: { ...HERE, name: 'start' } }],
    ['changed, renamed from open', { verdict: 'changed', was, now: { ...HERE, name: 'start' } }],
    ['moved from a.ts', { verdict: 'moved', was, now: { ...HERE, file_path: 'b.ts' } }],
    ['moved from a.ts, where it was open', { verdict: 'moved', was, now: { file_path: 'b.ts', name: 'start' } }],
    ['moved from a.ts', { verdict: 'moved', was: file, now: { file_path: 'b.ts', name: 'b.ts' } }],
    ['open is gone', { verdict: 'gone', was, now: null }],
    ['a.ts is gone', { verdict: 'gone', was, now: null, missing: true }],
    ['a.ts is gone', { verdict: 'gone', was: file, now: null }],
  ])('%s', (words, change) => {
    expect(describeChange(change)).toBe(words);
  });
});

describe('the review at a terminal', () => {
  const node = (id: string) => ({ id, kind: 'fact' as const, content: LONG, valid_from: VALID_FROM });
  const pair = (namespace: string): ShownReview['near_duplicates'][number] => ({
    ...{ namespace, kind: 'fact', similarity: 0.95 },
    ...{ newer: node('f_bakilomu'), older: node('f_bakilome') },
  });
  const shown = (...namespaces: string[]): string =>
    renderReview({
      entries: [],
      forks: [],
      near_duplicates: namespaces.map(pair),
      near: [],
      proposals: [],
      sources: [],
      more: namespaces.length > 1,
    });

  it('names the namespace where there are several, and says whether there is more', () => {
    expect(shown('one').split('\n')).toEqual([
      '## Near-duplicates (1)',
      '',
      `- [f_bakilome] ${cutAt(65)}`,
      `  [f_bakilomu] (0.95) ${cutAt(58)}`,
    ]);
    expect(shown('one', 'two')).toMatch(
      /\(0\.95\) · two x+…\n\nThere are more; the counts are of these\. --limit lists them, too\.$/,
    );
  });

  it('shows where two texts differ that begin with the same words', () => {
    const begin = 'The uncaught exception handler retries a failed write to the log';
    const [one, other] = [`${begin} once`, `${begin} three times`];
    const listed = (older: string, newer: string): string[] =>
      renderReview({
        ...{ entries: [], near_duplicates: [], near: [], proposals: [], sources: [], more: false },
        forks: [
          {
            ...{ namespace: 'default', kind: 'fact', replaced: { id: 'f_old', content: begin } },
            older: { ...node('f_one'), content: older },
            newer: { ...node('f_two'), content: newer },
          },
        ],
      }).split('\n');
    expect(listed(one, other).slice(2, 4)).toEqual(['- [f_one] … once', '  [f_two] … three times']);
    expect(listed('One file', 'One store').slice(2, 4)).toEqual(['- [f_one] One file', '  [f_two] One store']);
    // Nothing to begin with.
    const long = 'x'.repeat(50);
    expect(listed(`${long}a`, `${long}b`)[2]).toBe(`- [f_one] ${long}a`);
    expect(listed(begin, begin)[2]).toBe(`- [f_one] ${begin}`);
    expect(listed(begin, one).slice(2, 4)).toEqual(['- [f_one] … log', '  [f_two] … log once']);
  });
});
