import { describe, expect, it } from 'vitest';
import {
  shownDay,
  shownId,
  shownMinute,
  shownSecond,
  shownShare,
  shownTime,
  shownWord,
} from '../../../src/server/base/shown';

const FORGED = ['\n## Forged\n', 'x\u2028y', '] 2026-01-01 · conf 1.00 — no', '', ' ', '\u001b[31m'];

describe('what is printed of a row', () => {
  it('is its value where that is in our form, byte for byte', () => {
    const time = '2026-03-31T12:34:56.789Z';
    for (const id of ['d_bakilomu', 'pr_aaaaaaaa', 'f_Imported-1', `s_${'x'.repeat(64)}`]) expect(shownId(id)).toBe(id);
    expect([shownTime(time), shownDay(time)]).toEqual([time, '2026-03-31']);
    expect([shownMinute(time), shownSecond(time)]).toEqual(['2026-03-31 12:34', '2026-03-31 12:34:56']);
    expect(shownDay('2026-03-31')).toBe('2026-03-31');
    expect([0, 0.805, 1].map(shownShare)).toEqual(['0.00', '0.81', '1.00']);
    for (const word of ['fact', 'memory_store', 'OCCURRED_IN']) expect(shownWord(word)).toBe(word);
  });

  it('is marks, or one short line, where a store file holds any other text', () => {
    for (const text of [...FORGED, '2026-03-31\nx', '+012026-03-31T12:34:56.789Z', '2026-03-31T12:34:56.789Z\n']) {
      expect(shownTime(text)).toBe('????-??-??T??:??:??.???Z');
      expect(shownDay(text)).toBe('????-??-??');
      expect(shownMinute(text)).toBe('????-??-?? ??:??');
    }
    for (const text of [...FORGED, 'a b', 'd_bakilomu\n', 'x'.repeat(1000), '[x](y)', '`$(zap)`']) {
      expect(shownId(text)).toMatch(/^[\w?-]{1,70}$/);
      expect(shownWord(text)).toMatch(/^.{0,30}$/);
    }
    for (const share of [-0.1, 1.1, 1e300, Number.POSITIVE_INFINITY, Number.NaN])
      expect(shownShare(share)).toBe('?.??');
  });
});
