import { expect, it } from 'vitest';
import { type Entry, keyOf, stillThere } from '../../../src/extension/features/chat-tools/trace-entries';

const entry = (at: number, ...ids: string[]): Entry => ({ at, folder: 'file:///here', namespace: 'default', ids });
const knowing = (...ids: string[]) => new Map(ids.map((id) => [keyOf(entry(0), id), true]));

it('leaves what was forgotten out of the trace, and an answer that used none in it', () => {
  const asked = [entry(1, 'a', 'b'), entry(2), entry(3, 'b')];
  expect(stillThere(asked, asked, knowing('a'))).toEqual([entry(1, 'a'), entry(2)]);
});

it('keeps an answer that comes while the others are looked up, and brings none back that went meanwhile', () => {
  const asked = [entry(1, 'a'), entry(2, 'b'), entry(3, 'c')];
  const since = [...asked.slice(1), entry(4, 'd')];
  expect(stillThere(since, asked, knowing('a', 'b'))).toEqual([entry(2, 'b'), entry(4, 'd')]);
  expect(stillThere([], asked, knowing('a', 'b'))).toEqual([]);
});
