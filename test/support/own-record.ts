/** A record of ours that people edit by hand, and what is read then. */
import { expect } from 'vitest';
import type { Adr } from '../../src/server/bring/adr/adr';
import { readAdr } from '../../src/server/bring/adr/read-adr';
import { writeAdr } from '../../src/server/bring/adr/write-adr';

export const TITLE = 'Use SQLite for the store';
export const WHY = 'it is one file';
export const OTHERS = ['Postgres', 'LevelDB'];

export const ADR: Adr = {
  content: TITLE,
  rationale: WHY,
  alternatives_rejected: OTHERS,
  status: { is: 'accepted' },
  valid_from: '2026-12-01T00:00:00.000Z',
  supersedes: [],
  id: 'd_rotombus',
  valid_until: undefined,
  confidence: undefined,
  about: [],
};

/** What is found, and what is put in its place. */
export type Edit = readonly [string, string];
/** Content, reason and rejected ones; what is not said is as it was. */
export type Read = readonly [string?, (string | null)?, (readonly string[])?];

export function read(edits: readonly Edit[], adr: Adr = ADR) {
  const text = edits.reduce((page, [found, put]) => {
    expect(page).toContain(found);
    return page.replace(found, () => put);
  }, writeAdr(adr));
  const { content, rationale, alternatives_rejected } = readAdr(text) ?? expect.fail('it is no record any more');
  return { content, rationale, alternatives_rejected };
}

export function expected([content = TITLE, rationale = WHY, alternatives_rejected = OTHERS]: Read) {
  return { content, rationale: rationale ?? undefined, alternatives_rejected };
}
