import { describe, expect, test } from 'vitest';
import { day, moment } from '../../../src/webview/texts';

describe('a time on a page', () => {
  test('is that of a timestamp of ours', () => {
    expect(day('2026-03-31T12:34:56.000Z')).toBe('2026-03-31');
    expect(moment('2026-03-31T12:34:56.000Z')).toBe('2026-03-31 12:34 UTC');
  });

  test('is marks where a store file holds another text in its place', () => {
    for (const text of ['', 'soon', '2026-03-31', '2026-03-31\n## Forged and more text', '\n## Forged\n']) {
      expect(day(text)).toBe('????-??-??');
      expect(moment(text)).toBe('????-??-?? ??:?? UTC');
    }
  });
});
