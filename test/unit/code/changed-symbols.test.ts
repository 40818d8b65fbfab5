import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../src/server/code/changed-symbols';
import { diffSides } from '../../../src/server/code/diff-sides';
import type { SymbolPlace, Touch } from '../../../src/server/memory/code/touches';
import { linkOn, linkOnFile, smallCode } from './small-code';

type Texts = Readonly<Record<string, string>>;

/** What a change of all files from `before` to `after` did to the symbol of a link: `verdict path:line`. */
async function changes(touch: Touch, before: Texts, after: Texts, last?: SymbolPlace): Promise<string[]> {
  const differ = (path: string): boolean => before[path] !== after[path];
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(differ);
  const sides = diffSides(smallCode, {
    base: 'HEAD',
    files: paths.map((path) => ({
      old_path: before[path] === undefined ? undefined : path,
      new_path: after[path] === undefined ? undefined : path,
    })),
    before: async () => new Map(Object.entries(before)),
    after: async () => new Map(Object.entries(after)),
    unchanged: async (asked) => new Map(asked.flatMap((path) => (before[path] ? [[path, before[path]] as const] : []))),
    theirs: async () => new Map(),
    isWithin: async () => false,
  });
  const found = await changesOf(sides, { touch, last, stands: last, isGone: false });
  return found.map(({ verdict, now }) => (now ? `${verdict} ${now.file_path}:${now.start_line}` : verdict));
}

const LINK = linkOn('a.ts', 'function open = first');

describe('what a diff does to the symbol of a memory', () => {
  it('is a change of a symbol that had another text before it already', async () => {
    const before = { 'a.ts': 'function open = second' };
    expect(await changes(LINK, before, { 'a.ts': 'function open = third' })).toEqual(['changed a.ts:1']);
  });

  it('is nothing where it changes another symbol of the file', async () => {
    const before = { 'a.ts': 'function open = second\nfunction close = one' };
    const after = { 'a.ts': 'function open = second\nfunction close = two' };
    expect(await changes(LINK, before, after)).toEqual([]);
  });

  it('is a change of a whole file that had another name when it was linked', async () => {
    const last = { file_path: 'b.ts', code_type: 'file', name: 'b.ts' };
    const before = { 'b.ts': 'function open = first' };
    const after = { 'b.ts': 'function open = third' };
    expect(await changes(linkOnFile('a.ts', 'function open = first'), before, after, last)).toEqual(['changed b.ts:1']);
  });

  it('is nothing where it brings a text that the memory accepts, though another symbol had that text', async () => {
    const link = { ...LINK, confirmed: JSON.stringify(['second']) };
    const before = { 'a.ts': 'function open = first\nfunction close = second' };
    const after = { 'a.ts': 'function open = second\nfunction close = third' };
    expect(await changes(link, before, after)).toEqual([]);
    expect(await changes(LINK, before, after)).toEqual(['changed a.ts:1']);
  });

  it('is what an overload adds, also where one with the text of the other one goes under another name', async () => {
    const before = { 'a.ts': 'function open = first\nfunction close = first' };
    const after = { 'a.ts': 'function open = first\nfunction open = second' };
    expect(await changes(LINK, before, after)).toEqual(['changed a.ts:2']);
  });

  it.each<[string, Texts, Texts, string[]]>([
    [
      'nothing where it gives it another name in its file',
      { 'a.ts': 'function open = first' },
      { 'a.ts': 'function start = first\nfunction other = fourth' },
      [],
    ],
    [
      'a loss where only a twin is left, which stood there before',
      { 'a.ts': 'function open = first\nfunction twin = first' },
      { 'a.ts': 'function twin = first' },
      ['gone'],
    ],
    [
      'nothing where it moves it into another file',
      { 'a.ts': 'function open = first', 'b.ts': 'function close = one' },
      { 'a.ts': '', 'b.ts': 'function close = one\nfunction open = first' },
      [],
    ],
    [
      'a loss where another file that changes has had a twin all the time',
      { 'a.ts': 'function open = first', 'b.ts': 'function twin = first' },
      { 'a.ts': '', 'b.ts': 'function twin = first\nfunction close = one' },
      ['gone'],
    ],
    [
      'a change where its class has another name, and it another text',
      { 'a.ts': 'function open = first' },
      { 'a.ts': 'method Job.open = second' },
      ['changed a.ts:1'],
    ],
    [
      'a loss where two have its last name now',
      { 'a.ts': 'function open = first' },
      { 'a.ts': 'method Job.open = second\nmethod Box.open = third' },
      ['gone'],
    ],
    ['a loss where its file goes', { 'a.ts': 'function open = first' }, {}, ['gone']],
  ])('is %s', async (_, before, after, found) => {
    expect(await changes(LINK, before, after)).toEqual(found);
  });
});
