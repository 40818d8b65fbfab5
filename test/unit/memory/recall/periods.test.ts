import { describe, expect, it } from 'vitest';
import { periodsIn } from '../../../../src/server/memory/recall/periods';

/** A Tuesday. */
const NOW = Date.parse('2026-03-31T12:00:00Z');

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const periods = (text: string): string[] => periodsIn(text, NOW).map(({ from, to }) => `${day(from)}…${day(to)}`);

describe('the periods that a question names', () => {
  it.each([
    ['what happened on 2026-02-03?', ['2026-02-03…2026-02-04']],
    ['notes of 2026-02', ['2026-02-01…2026-03-01']],
    ['on 3 February 2026', ['2026-02-03…2026-02-04']],
    ['on the 3rd of February', ['2026-02-03…2026-02-04']],
    ['Feb. 3rd, 2025', ['2025-02-03…2025-02-04']],
    ['since February 2025', ['2025-02-01…2025-03-01']],
    ['decided in May', ['2025-05-01…2025-06-01']],
    ['decided in March', ['2026-03-01…2026-04-01']],
    ['in late December', ['2025-12-01…2026-01-01']],
    ['December 24', ['2025-12-24…2025-12-25']],
    ['the 31st of February 2026', ['2026-02-01…2026-03-01']],
    ['in 2024', ['2024-01-01…2025-01-01']],
    ['what did I do today', ['2026-03-31…2026-04-01']],
    ['yesterday', ['2026-03-30…2026-03-31']],
    ['this week', ['2026-03-30…2026-04-06']],
    ['last week', ['2026-03-23…2026-03-30']],
    ['this month', ['2026-03-01…2026-04-01']],
    ['last month', ['2026-02-01…2026-03-01']],
    ['between 2026-01-01 and 2026-01-05', ['2026-01-01…2026-01-02', '2026-01-05…2026-01-06']],
    ['on 5 May and 5 May', ['2025-05-05…2025-05-06']],
  ])('%s', (text, expected) => {
    expect(periods(text)).toEqual(expected);
  });

  it.each([
    'we may do this',
    'march on',
    'version 2024',

    '2026-13-01',
    '2026-02-30',
    'port 8080 in 12 seconds',
    'decimal 3.14',
    '',
  ])('none in: %s', (text) => {
    expect(periods(text)).toEqual([]);
  });

  it('are not looked for in a pasted text', () => {
    expect(periods(`2026-01-01 ${'x'.repeat(2000)}`)).toEqual([]);
  });
});
