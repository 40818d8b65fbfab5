import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/server/base/clock';
import { type MemoryTest, withMemory } from '../support/memory';

const TWENTY_YEARS = 20 * 365 * DAY_MS;

interface Stored {
  readonly node_id: string;
}

/** Does something while the machine's clock is off by so much. */
async function whileOff<Result>(test: MemoryTest, ms: number, work: () => Promise<Result>): Promise<Result> {
  test.later(ms);
  const result = await work();
  test.later(-ms);
  return result;
}

const decide = (test: MemoryTest, content: string, more: object = {}) =>
  test.ok<Stored>('memory_store', { content, kind: 'decision', entities: ['storage'], ...more });

const recall = (test: MemoryTest, query: string, more: object = {}) => test.text('memory_recall', { query, ...more });

describe('a memory that was stored while the clock was ahead', () => {
  it('is valid from its recording, and says so wherever it is printed', () =>
    withMemory(async (test) => {
      const { node_id } = await whileOff(test, TWENTY_YEARS, () => decide(test, 'Use one file'));
      const line = `- [${node_id}] 2046-03-26 · conf 1.00 · clock ahead — Use one file`;
      expect(await recall(test, 'one file')).toContain(line);
      expect(await recall(test, 'project context')).toContain(line);
      expect(await test.text('memory_about', { entity: 'storage' })).toContain(line);
      expect(await test.text('memory_timeline', { topic: 'file' })).toContain(line);
      for (const decision_ref of [node_id, 'one file']) {
        expect(await test.text('memory_why', { decision_ref })).toContain('2046-03-26 · conf 1.00 · clock ahead');
      }
    }));

  it('is not told apart when the clock was off by seconds', () =>
    withMemory(async (test) => {
      const { node_id } = await whileOff(test, 5_000, () => decide(test, 'Use one file'));
      expect(await recall(test, 'one file')).toContain(`- [${node_id}] 2026-03-31 · conf 1.00 — Use one file`);
    }));

  it('says nothing of it any more when its time has come, and fits the budget then as before', () =>
    withMemory(async (test) => {
      await whileOff(test, TWENTY_YEARS, () => decide(test, 'Use one file'));
      await recall(test, 'one file');
      await test.project.uses.flush();
      expect(await test.memory.sql.all(`SELECT tokens, uses FROM mem_nodes WHERE kind = 'decision'`)).toEqual([
        { tokens: null, uses: 1 },
      ]);
      test.later(TWENTY_YEARS);
      expect(await recall(test, 'one file')).toContain('2046-03-26 · conf 1.00 — Use one file');
    }));

  it('was not there yet when a time before is asked for', () =>
    withMemory(async (test) => {
      await whileOff(test, TWENTY_YEARS, () => decide(test, 'Use one file'));
      expect(await recall(test, 'one file', { as_of: '2026-03-30' })).toContain('Nothing is remembered');
      expect(await recall(test, 'one file', { as_of: '2030-01-01' })).toContain('Use one file');
    }));

  it('is closed by what supersedes or refutes it later', () =>
    withMemory(async (test) => {
      const old = await whileOff(test, TWENTY_YEARS, () => decide(test, 'Use one file'));
      const wrong = await whileOff(test, TWENTY_YEARS, () => decide(test, 'Use a file for each day'));
      await decide(test, 'Use two files', { supersedes: old.node_id });
      await test.ok('memory_verify', { node_id: wrong.node_id, status: 'refute' });
      for (const answer of [await recall(test, 'file'), await test.text('memory_about', { entity: 'storage' })]) {
        expect(answer).toContain('Use two files');
        expect(answer).not.toMatch(/one file|each day/);
      }
    }));
});

it('a valid_from that was given and lies in the future is waited for, whatever the clock was', () =>
  withMemory(async (test) => {
    await decide(test, 'From 2027 on', { valid_from: '2027-01-01' });
    await whileOff(test, TWENTY_YEARS, () => decide(test, 'From 2050 on', { valid_from: '2050-01-01' }));
    for (const query of ['from 2027 2050', 'project context']) {
      expect(await recall(test, query)).not.toMatch(/— From/);
    }
    expect(await test.text('memory_about', { entity: 'storage' })).not.toContain('— From');
  }));

it('what was superseded or refuted while the clock was ahead is closed now', () =>
  withMemory(async (test) => {
    const old = await decide(test, 'Use one file');
    const wrong = await decide(test, 'Use a file for each day');
    await whileOff(test, TWENTY_YEARS, async () => {
      await decide(test, 'Use two files', { supersedes: old.node_id });
      await test.ok('memory_verify', { node_id: wrong.node_id, status: 'refute' });
    });
    const later = await decide(test, 'Use a folder until 2027');
    await decide(test, 'Use a server', { valid_from: '2027-01-01', supersedes: later.node_id });
    for (const query of ['file folder server', 'project context']) {
      const answer = await recall(test, query);
      expect(answer).toContain('Use two files');
      expect(answer).toContain('Use a folder until 2027');
      expect(answer).not.toMatch(/one file|each day|a server\n/);
    }
  }));

it('a memory that was stored while the clock was behind is recalled, with the day that it was', () =>
  withMemory(async (test) => {
    const old = await decide(test, 'Use one file');
    await whileOff(test, -TWENTY_YEARS, () => decide(test, 'Use two files', { supersedes: old.node_id }));
    const answer = await recall(test, 'files');
    expect(answer).toContain('2006-04-05 · conf 1.00 — Use two files');
    expect(answer).not.toContain('Use one file');
  }));

it.each([1e17, -1e17])('a clock at %d ms counts as the nearest time that can be written', (off) =>
  withMemory(async (test) => {
    await whileOff(test, off, async () => {
      await decide(test, 'Use one file');
      expect(await recall(test, 'one file')).toContain('Use one file');
      expect(await recall(test, 'project context')).toContain('Use one file');
      await test.ok('memory_end_session', { summary: 'Done' });
    });
    expect(await recall(test, 'one file')).toContain('Use one file');
  }),
);

it('a clock that tells no time is said to be the matter', () =>
  withMemory(async (test) => {
    test.later(Number.NaN);
    const words = 'unavailable: The clock of this machine does not give a valid time. Set it, then try again.';
    expect(await test.refused('memory_store', { content: 'x', kind: 'fact' })).toBe(words);
    expect(await test.refused('memory_recall', { query: 'x' })).toBe(words);
  }));
