import { describe, expect, test } from 'vitest';
import type { ExplorerTexts } from '../../../src/protocol/explorer';
import type { Reason } from '../../../src/protocol/tool-values';
import { day, moment, reasonName } from '../../../src/webview/texts';

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

test('the reasons of a recall are told in words, with the name as it stands and without an id', () => {
  const texts = {
    ...{ foundByWords: 'by its words', foundByEntity: 'about {0}', foundBeside: 'beside another memory' },
    ...{ foundInDocument: 'through a document', foundByDate: 'by its date', newerThan: 'newer than another memory' },
    ...{ ofLastSession: 'of the last session', confirmedByPerson: 'confirmed by a person' },
  } as ExplorerTexts;
  const told = (reason: Reason) => reasonName(texts, reason);
  expect((['words', 'document', 'date'] as const).map(told)).toEqual([
    'by its words',
    'through a document',
    'by its date',
  ]);
  expect((['last session', 'confirmed'] as const).map(told)).toEqual(['of the last session', 'confirmed by a person']);
  expect(told('entity entity of {1}\nfoo')).toBe('about entity of {1}\nfoo');
  expect(told('neighbour of f_bakilomu')).toBe('beside another memory');
  expect(told('newer than d_x')).toBe('newer than another memory');
});
