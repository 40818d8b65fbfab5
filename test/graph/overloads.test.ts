import { expect, it } from 'vitest';
import { lensesForFile } from '../../src/server/memory/code/lenses';
import type { Check } from '../support/check-repository';
import { type FollowedRepository, withFollowedRepository } from '../support/followed-repository';

/** Of a memory by its letter: where it is and how it is judged, as `line changed` or `line fits`. */
type Places = Readonly<Record<string, readonly string[]>>;

interface Place {
  readonly start_line: number;
}
interface Judged {
  readonly id: string;
  readonly verdict: string;
}

/** A memory of a step has this letter; a text of a step is written into the file. */
type Step =
  | { readonly remember: string }
  | { readonly confirm: string }
  | { readonly write: string; readonly to?: string }
  | { readonly commit: true }
  | { readonly build: true };

interface Case {
  readonly title: string;
  readonly path: string;
  readonly entity: string;
  readonly text: string;
  readonly steps: readonly Step[];
  readonly expected: Places;
  /** Where the changes are that `check` tells of, where that is not what follows from the places: what is committed is no change. */
  readonly checked?: readonly string[];
}

/** How each list of the program tells it, all of which have to agree. */
async function told(
  { call, project }: FollowedRepository,
  path: string,
  letters: ReadonlyMap<string, string>,
): Promise<Readonly<Record<string, Places>>> {
  const lists: Record<string, Record<string, string[]>> = {};
  const note = (list: string, id: string, line: number | undefined, verdict: string): void => {
    const letter = letters.get(id);
    if (letter === undefined) throw new Error(`${list} has ${id}, which nobody stored`);
    const places = lists[list]?.[letter] ?? [];
    lists[list] = {
      ...lists[list],
      [letter]: [...new Set([...places, `${line} ${verdict === 'changed' ? verdict : 'fits'}`])].sort(),
    };
  };
  const { symbols } = await call<{ symbols: { symbol: Place; memories: Judged[] }[] }>('memory_for_code', {
    file_path: path,
  });
  for (const { symbol, memories } of symbols) {
    for (const { id, verdict } of memories) note('memory_for_code', id, symbol.start_line, verdict);
  }
  const lines = new Set(symbols.map(({ symbol }) => symbol.start_line));
  for (const line of lines) {
    const { memories } = await call<{ memories: Judged[] }>('why_here', { file_path: path, line });
    for (const { id, verdict } of memories) note('why_here', id, line, verdict);
  }
  for (const { node_ids, doubtful_ids, start_line } of await lensesForFile(project.memory, path)) {
    for (const id of node_ids) note('lenses', id, start_line, doubtful_ids.includes(id) ? 'changed' : 'unchanged');
  }
  for (const id of letters.keys()) {
    const { symbols: compared } = await call<{ symbols: { now: Place | null; verdict: string }[] }>('compare', {
      node_id: id,
    });
    // What holds is left out where something does not.
    for (const { now, verdict } of compared) if (verdict === 'changed') note('compare', id, now?.start_line, verdict);
  }
  return lists;
}

/** A place of a memory that is no place of a text that it accepts. */
const isChanged = (place: string): boolean => place.endsWith(' changed');
const linesOf = (places: readonly string[] | undefined): number[] =>
  (places ?? []).filter(isChanged).map((place) => Number.parseInt(place, 10));

async function review({ call }: FollowedRepository, letters: ReadonlyMap<string, string>): Promise<string[]> {
  type Told = readonly { readonly node_id: string; readonly verdict: string }[];
  const { stale_nodes, missing_nodes } = await call<{ stale_nodes: Told; missing_nodes: Told }>(
    'memory_verify_staleness',
    {},
  );
  const stale = [...stale_nodes, ...missing_nodes]
    .filter(({ verdict }) => verdict === 'changed')
    .map(({ node_id }) => letters.get(node_id));
  const { entries } = await call<{ entries: { node: { id: string }; now: Place | null }[] }>('review', {});
  expect(entries.map(({ node }) => letters.get(node.id)).sort()).toEqual(stale.sort());
  return entries.map(({ node, now }) => `${letters.get(node.id)} ${now?.start_line}`).sort();
}

const PUT = ['  write(buffer: Uint8Array): boolean', '  write(text: string, encoding: string): boolean'] as const;
const BODY = `  write(chunk: any, encoding?: any): boolean {
    const length = chunk.length
    if (length < 4) return false
    this.queue.push(encode(chunk, encoding))
    return true
  }`;
const put = (...members: readonly string[]): string => `export class P {\n${members.join('\n')}\n}\n`;
const NEW_BODY = BODY.replace('< 4', '< 5');
const NEWER_BODY = BODY.replace('< 4', '< 6');
const OTHER_PUT = '  write(buffer: Uint8Array): number';
const FLUSH = '  write(chunks: readonly string[]): boolean';

const ADD = '  void put(int a) { int sum = a + this.count; this.items.add(sum); }';
const APPEND = '  void put(String text) { String trimmed = text.trim(); this.words.append(trimmed); }';
const box = (...methods: readonly string[]): string => `class Box {\n${methods.join('\n')}\n}\n`;
const NEW_ADD = ADD.replace('a + ', 'a - ');
const NEW_APPEND = APPEND.replace('trim()', 'strip()');

const READ = 'export function read(from: string): string\n';
const READ_BODY = 'export function read(from: any): any {\n  const text = load(from)\n  return text.slice(1)\n}\n';
const READS = `${READ}export function read(from: URL): Buffer\n${READ_BODY}`;
const RENAMED = READS.replaceAll('read(', 'readFrom(');

const CALLBACKS = [1, 2, 3].map(
  (n) => `describe('${n}', () => {\n  function setup(a) { return prepare(a, ${n}, ${n}) }\n})\n`,
);

const PYTHON = [
  '@overload\ndef read(path: str) -> str: ...',
  '@overload\ndef read(path: bytes) -> bytes: ...',
  'def read(path):\n    with open(path) as file:\n        return file.read(4)',
] as const;

const ts = { path: 'c.ts', entity: 'c.ts#P.write' };
const java = { path: 'Box.java', entity: 'Box.put' };
const two: readonly Step[] = [{ remember: 'a' }, { remember: 'b' }];
const both = (...places: readonly string[]): Places => ({ a: places, b: places });

const CASES: readonly Case[] = [
  {
    title: 'the body of a method with a signature changes',
    ...{ ...ts, text: put(PUT[0], BODY), steps: [...two, { write: put(PUT[0], NEW_BODY) }] },
    expected: both('2 fits', '3 changed'),
  },
  {
    title: 'one of two signatures changes',
    ...{ ...ts, text: put(...PUT, BODY), steps: [...two, { write: put(OTHER_PUT, PUT[1], BODY) }] },
    expected: both('2 changed', '3 fits', '4 fits'),
  },
  {
    title: 'a signature and the body change',
    ...{ ...ts, text: put(...PUT, BODY), steps: [...two, { write: put(OTHER_PUT, PUT[1], NEW_BODY) }] },
    expected: both('2 changed', '3 fits', '4 changed'),
  },
  {
    title: 'a signature comes before the body, which changes',
    ...{ ...ts, text: put(PUT[0], BODY), steps: [...two, { write: put(PUT[0], FLUSH, NEW_BODY) }] },
    expected: both('2 fits', '3 changed', '4 changed'),
  },
  {
    title: 'the first signature comes, and the body changes',
    ...{ ...ts, text: put(BODY), steps: [...two, { write: put(PUT[0], NEW_BODY) }] },
    expected: both('2 changed', '3 changed'),
  },
  {
    title: 'a signature goes, for which another one stands, and the body changes',
    ...{ ...ts, text: put(...PUT, BODY), steps: [...two, { write: put(PUT[1], NEW_BODY) }] },
    expected: both('2 changed', '3 changed'),
  },
  {
    title: 'signatures change places, and the body changes',
    ...{ ...ts, text: put(...PUT, BODY), steps: [...two, { write: put(PUT[1], PUT[0], NEW_BODY) }] },
    expected: both('2 fits', '3 fits', '4 changed'),
  },
  {
    title: 'one of them is confirmed on the new text',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [...two, { write: put(PUT[0], NEW_BODY) }, { confirm: 'a' }],
    expected: { a: ['2 fits', '3 fits'], b: ['2 fits', '3 changed'] },
    checked: ['b 3'],
  },
  {
    title: 'it changes once more after one of them was confirmed',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [...two, { write: put(PUT[0], NEW_BODY) }, { confirm: 'a' }, { write: put(PUT[0], NEWER_BODY) }],
    expected: both('2 fits', '3 changed'),
  },
  {
    title: 'some are linked to the old text, and some to the new one',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [...two, { write: put(PUT[0], NEW_BODY) }, { commit: true }, { remember: 'c' }, { remember: 'd' }],
    expected: { ...both('2 fits', '3 changed'), c: ['2 fits', '3 fits'], d: ['2 fits', '3 fits'] },
    checked: [],
  },
  {
    title: 'some are linked to the old text, some to the new one, and it changes once more',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [
      ...[...two, { write: put(PUT[0], NEW_BODY) }, { commit: true as const }, { build: true as const }],
      ...[{ remember: 'c' }, { remember: 'd' }, { write: put(PUT[0], NEWER_BODY) }],
    ],
    expected: { ...both('2 fits', '3 changed'), c: ['2 fits', '3 changed'], d: ['2 fits', '3 changed'] },
  },
  {
    title: 'some are linked before there is a signature, and some after it',
    ...{ ...ts, text: put(BODY) },
    steps: [
      ...[...two, { write: put(PUT[0], BODY) }, { commit: true as const }, { build: true as const }],
      ...[{ remember: 'c' }, { remember: 'd' }, { write: put(PUT[0], NEW_BODY) }],
    ],
    expected: { ...both('2 changed', '3 changed'), c: ['2 fits', '3 changed'], d: ['2 fits', '3 changed'] },
    checked: ['a 3', 'b 3', 'c 3', 'd 3'],
  },
  {
    title: 'a signature is added, and nothing else changes',
    ...{ ...ts, text: put(PUT[0], BODY), steps: [...two, { write: put(PUT[0], FLUSH, BODY) }] },
    expected: both('2 fits', '3 changed', '4 fits'),
  },
  {
    title: 'the first signatures are added, and nothing else changes',
    ...{ ...ts, text: put(BODY), steps: [...two, { write: put(...PUT, BODY) }] },
    expected: both('2 changed', '3 changed', '4 fits'),
  },
  {
    title: 'one is confirmed with the signatures that were added',
    ...{ ...ts, text: put(BODY), steps: [...two, { write: put(...PUT, NEW_BODY) }, { confirm: 'a' }] },
    expected: { a: ['2 fits', '3 fits', '4 fits'], b: ['2 changed', '3 changed', '4 changed'] },
    checked: ['b 2', 'b 3', 'b 4'],
  },
  {
    title: 'a signature that was added and confirmed changes',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [
      ...[...two, { write: put(...PUT, BODY) }, { confirm: 'a' }],
      { write: put(PUT[0], PUT[1].replace('encoding', 'kind'), BODY) },
    ],
    expected: both('2 fits', '3 changed', '4 fits'),
  },
  {
    title: 'a method with other parameters is added',
    ...{ ...java, text: box(ADD), steps: [...two, { write: box(ADD, APPEND) }, { commit: true }] },
    expected: both('2 fits', '3 changed'),
    checked: [],
  },
  {
    title: 'it gets another name',
    ...{ path: 'read.ts', entity: 'read.ts#read', text: READS, steps: [...two, { write: RENAMED }] },
    expected: both('1 fits', '2 fits', '3 fits'),
    checked: [],
  },
  {
    title: 'it gets another name, and its body changes',
    ...{ path: 'read.ts', entity: 'read.ts#read', text: READS },
    steps: [...two, { write: RENAMED.replace('slice(1)', 'slice(2)') }],
    expected: both('1 fits', '2 fits', '3 changed'),
  },
  {
    title: 'a function of its name is added in another callback',
    ...{ path: 'a.js', entity: 'a.js#setup', text: CALLBACKS.slice(0, 2).join('') },
    steps: [...two, { write: CALLBACKS.join('') }],
    expected: both('2 fits', '5 fits'),
  },
  {
    title: 'the file is renamed, and the body changes',
    ...{ ...ts, text: put(PUT[0], BODY) },
    steps: [...two, { write: put(PUT[0], NEW_BODY), to: 'd.ts' }, { commit: true }, { build: true }],
    expected: both('2 fits', '3 changed'),
    checked: [],
  },
  {
    title: 'the body of a function with a signature changes',
    ...{ path: 'read.ts', entity: 'read.ts#read', text: READ + READ_BODY },
    steps: [...two, { write: READ + READ_BODY.replace('slice(1)', 'slice(2)') }],
    expected: both('1 fits', '2 changed'),
  },
  {
    title: 'the body of a function of Python changes',
    ...{ path: 'read.py', entity: 'read.py#read', text: `${PYTHON.join('\n\n')}\n` },
    steps: [...two, { write: `${PYTHON.join('\n\n').replace('read(4)', 'read(5)')}\n` }],
    expected: both('1 fits', '4 fits', '7 changed'),
  },
  {
    title: 'one of several bodies changes',
    ...{ ...java, text: box(ADD, APPEND), steps: [...two, { write: box(ADD, NEW_APPEND) }] },
    expected: both('2 fits', '3 changed'),
  },
  {
    title: 'several bodies change, and change places',
    ...{ ...java, text: box(ADD, APPEND), steps: [...two, { write: box(NEW_APPEND, NEW_ADD) }] },
    expected: both('2 changed', '3 changed'),
  },
  {
    title: 'one of several bodies changes where another one comes before it',
    ...{ ...java, text: box(ADD, APPEND) },
    steps: [...two, { write: box('  void put(Path file) { open(file); }', ADD, NEW_APPEND) }],
    expected: both('2 changed', '3 fits', '4 changed'),
  },
  {
    title: 'one of several bodies is confirmed before both change, and change places',
    ...{ ...java, text: box(ADD, APPEND) },
    steps: [...two, { write: box(ADD, NEW_APPEND) }, { confirm: 'a' }, { write: box(NEW_APPEND, NEW_ADD) }],
    expected: { a: ['2 fits', '3 changed'], b: ['2 changed', '3 changed'] },
  },
  {
    title: 'a method of a language without overloads changes',
    ...{ path: 'p.go', entity: 'p.go#Write', text: 'package p\n\nfunc Write(n int) bool {\n\treturn n < 4\n}\n' },
    steps: [...two, { write: 'package p\n\nfunc Write(n int) bool {\n\treturn n < 5\n}\n' }],
    expected: both('3 changed'),
  },
];

it.each(CASES)('each memory on overloads is told of where its code is: $title', async (one) => {
  const { path, entity, text, steps, expected, checked } = one;
  await withFollowedRepository({ [path]: text }, async (repository) => {
    const { build, remember, write, remove, commit, call } = repository;
    await build();
    const letters = new Map<string, string>();
    let file = path;
    for (const step of steps) {
      if ('remember' in step) letters.set(await remember(entity), step.remember);
      if ('confirm' in step) {
        const [id] = [...letters].find(([, letter]) => letter === step.confirm) ?? [];
        await call('memory_verify', { node_id: id, status: 'confirm' });
      }
      if ('write' in step) {
        if (step.to !== undefined) await remove(file);
        file = step.to ?? file;
        await write(file, step.write);
      }
      if ('commit' in step) commit();
      if ('build' in step) await build();
    }
    // Before a build, and as it is known after it.
    for (const built of [false, true]) {
      if (built) await build();
      const doubted = Object.entries(expected)
        .map(([letter, places]) => [letter, places.filter(isChanged)] as const)
        .filter(([, places]) => places.length > 0);
      const compare = doubted.length > 0 ? { compare: Object.fromEntries(doubted) } : {};
      const lists = { memory_for_code: expected, why_here: expected, lenses: expected, ...compare };
      expect(await told(repository, file, letters)).toEqual(lists);
      const changed = Object.keys(expected).flatMap((letter) =>
        linesOf(expected[letter]).map((line) => `${letter} ${line}`),
      );
      const reviewed = await review(repository, letters);
      expect(changed).toEqual(expect.arrayContaining(reviewed));
      expect(new Set(reviewed.map((at) => at.slice(0, 1)))).toEqual(new Set(changed.map((at) => at.slice(0, 1))));
      const { memories } = await call<Check & { memories: { id: string }[] }>('check', {});
      const inDiff = memories.flatMap(({ id, symbols }) =>
        symbols.map(({ now }) => `${letters.get(id)} ${now?.start_line}`),
      );
      expect(inDiff.sort()).toEqual(checked ?? changed);
    }
  });
});
