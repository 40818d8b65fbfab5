import { describe, expect, it } from 'vitest';
import { lastOf, onlyOne } from '../../../src/server/code/find-moved';
import { locateSymbols, type Sources } from '../../../src/server/code/locate-symbols';
import { linesOf } from '../../../src/server/code/parts-of-file';
import type { PastSymbols } from '../../../src/server/code/past-symbols';
import type { Reader } from '../../../src/server/db/sql';
import type { TouchKey } from '../../../src/server/memory/code/touches';
import { linkOn, symbolsIn } from './small-code';

type Texts = Readonly<Record<string, string>>;

/** A code graph that has seen these files: it says where a text, or a name, stands. */
function graphOf(files: Texts): Reader {
  const all = Object.entries(files).flatMap(([path, text]) => symbolsIn(path, text));
  return {
    all: async <Row>(sql: string, parameters: Readonly<Record<string, unknown>> = {}) => {
      const asked = JSON.parse(String(parameters.hashes ?? parameters.names)) as string[];
      const shown = (name: string): string => (sql.includes('s.qualified') ? name : lastOf(name));
      return all
        .filter(({ hash, name }) => asked.includes(parameters.hashes === undefined ? shown(name) : hash))
        .map(({ hash, name, file_path }) => ({ hash, name: shown(name), path: file_path }) as Row);
    },
    get: async () => undefined,
  };
}

/** Where the symbols of links are: `verdict type path:line`. */
function located(files: Texts, ...links: TouchKey[]): Promise<string[]> {
  return locatedIn(files, links, { past: async () => undefined, textOf: (path) => files[path] });
}

async function locatedIn(
  files: Texts,
  links: readonly TouchKey[],
  sources: Pick<Sources, 'past' | 'textOf'>,
): Promise<string[]> {
  const found = await locateSymbols(
    graphOf(files),
    {
      read: async (_, paths) =>
        new Map([...paths].map((path) => [path, { symbols: symbolsIn(path, files[path] ?? ''), current: true }])),
      unseen: async () => ({ newest: [], others: [] }),
      ...sources,
    },
    links,
  );
  return found.map(({ verdict, symbol }) =>
    symbol ? `${verdict} ${symbol.code_type} ${symbol.file_path}:${symbol.start_line}` : verdict,
  );
}

/** Links of one memory to overloads. */
function overloads(path: string, ...lines: string[]): TouchKey[] {
  const links = lines.map((line) => linkOn(path, line));
  return links.map((link) => ({
    ...link,
    beside: JSON.stringify(links.filter((one) => one !== link).map(({ hash }) => [hash, []])),
  }));
}

describe('a symbol that a memory is linked to', () => {
  const link = linkOn('a.ts', 'function open = first');

  it('is the one of its kind where a type has its name, too', async () => {
    const rewritten = 'interface open = shape\nfunction open = second';
    expect(await located({ 'a.ts': rewritten }, link)).toEqual(['changed function a.ts:2']);
    expect(await located({ 'a.ts': 'class open = second' }, link)).toEqual(['changed class a.ts:1']);
  });

  it('that is an overload is the one that changed, not one of those that are as they were', async () => {
    const both = overloads('a.ts', 'function open = first', 'function open = second');
    const one = 'function open = second\nfunction open = third';
    expect(await located({ 'a.ts': one }, ...both)).toEqual(['changed function a.ts:2', 'unchanged function a.ts:1']);
    const two = 'function open = third\nfunction open = fourth';
    expect(await located({ 'a.ts': two }, ...both)).toEqual(['changed function a.ts:1', 'changed function a.ts:2']);
  });

  it('that is an overload is the same one for all memories, and whichever of their links are asked about', async () => {
    const both = overloads('a.ts', 'function open = first', 'function open = second');
    const [first, second] = both.map((one): TouchKey => ({ ...one, commit: 'later', linked_at: 'later' }));
    if (!first || !second) throw new Error('there are two');
    const changed = { 'a.ts': 'function open = third\nfunction open = fourth' };
    const [one, other] = ['changed function a.ts:1', 'changed function a.ts:2'];
    expect(await located(changed, ...both, first, second)).toEqual([one, other, one, other]);
    expect(await located(changed, second, ...both, first)).toEqual([other, one, other, one]);
    expect(await located(changed, second)).toEqual([other]);
    const body = { 'a.ts': 'function open = first\nfunction open = third' };
    expect(await located(body, ...both, first, second)).toEqual([
      'unchanged function a.ts:1',
      other,
      'unchanged function a.ts:1',
      other,
    ]);
  });

  it('is found by its text in up to 200 files', async () => {
    const files = (count: number): Texts => ({
      ...Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`${i}.ts`, 'function start = first'])),
      'z.ts': 'method Job.open = first',
    });
    expect(await located(files(200), link)).toEqual(['moved method z.ts:1']);
    expect(await located(files(201), link)).toEqual(['gone']);
  });

  it('is found by its name where one file has it, and not where two have it', async () => {
    const [one, other] = [{ 'b.ts': 'function open = second' }, { 'c.ts': 'function open = third' }];
    expect(await located(one, link)).toEqual(['changed function b.ts:1']);
    expect(await located({ ...one, ...other }, link)).toEqual(['gone']);
  });
});

it('what is gone from a file is compared with what is new in it, whose text is read once for all of them', async () => {
  const words = (word: string): string => Array.from({ length: 12 }, (_, i) => `${word}${i}`).join(' ');
  const lines = ['function fresh = new', 'function sixth = new second', `function other = ${words('b')} x`];
  const links = ['a', 'b', 'c'].map((one) => linkOn('a.ts', `function ${one} = ${words(one)}`, { commit: 'first' }));
  const past: PastSymbols = {
    ...{ follow: async (_, path) => path, otherRef: () => undefined, isKeptOut: async () => false, expect: () => {} },
    lastPlaces: async () => new Map(),
    beforeUncommitted: async () => undefined,
    ...{ before: async () => ({ symbols: [], all: true }), textOf: async () => undefined },
    former: async ({ name }) => ({ name, text: `function ${name} = ${words(name)}`, level: 0 }),
    ...{
      branchWith: async () => undefined,
      wasConfirmedHere: async () => false,
      editedSinceHead: async () => new Set(),
    },
  };
  const read: string[] = [];
  const textOf = (path: string): string => {
    read.push(path);
    return lines.join('\n');
  };
  const found = await locatedIn({ 'a.ts': lines.join('\n') }, links, { past: async () => past, textOf });
  expect(found).toEqual(['gone', 'changed function a.ts:3', 'gone']);
  // Once for what had another name, too.
  expect(read).toEqual(['a.ts', 'a.ts']);
});

it('of several with the text of a link, the one with its qualified name is meant', () => {
  const [, ...all] = symbolsIn('a.ts', 'method Second.open = first\nmethod First.open = first');
  expect(onlyOne(all, linkOn('b.ts', 'method First.open = first'))?.name).toBe('First.open');
  expect(onlyOne(all, linkOn('b.ts', 'method Third.open = first'))).toBeUndefined();
});

it('the text of a symbol is that of its lines alone', () => {
  expect(linesOf('one\ntwo\nthree\nfour\n', { start_line: 2, end_line: 3 })).toBe('two\nthree');
});

it('the last name of a symbol is what stands behind the last point', () => {
  expect(['a.Box.open', 'open'].map(lastOf)).toEqual(['open', 'open']);
});
