// npm run test:mutations [-- --seed <n> --count <n> --only <part of a path> --again]: changes the sources that keep the
// rules of the memory at random places, one at a time, and runs the tests that run these places. A change that no test
// notices shows a rule that no test holds. The sources on the disk stay as they are. CONTRIBUTING.md, "Mutations".
//
// Why not Stryker: it changes neither numbers nor SQL, and half of the rules are in SQL.
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { functionsBehind } from './mutations/functions-behind.mts';
import { type Mutant, placesIn } from './mutations/mutants.mts';
import { functionsOfTests, openMutatedTests, type Verdict } from './mutations/mutated-tests.mts';
import { readSource, type Source } from './mutations/syntax.mts';
import { ROOT, setUp } from './setup.mjs';

const SOURCES = 'src/server/{memory,code,render}/**/*.ts';
/** Migrations are held by the fingerprint of their schema. */
const LEFT_OUT = /\/migrations\/|\.d\.ts$/;
/** Per cent that have to be noticed. */
const GOAL = 80;
const REPORT = join(ROOT, 'node_modules/.cache/mutations/report.json');
const SAME = join(ROOT, 'scripts/mutations/same-behaviour.json');

/** A change in words that stay the same when lines move. */
interface Told {
  readonly path: string;
  /** The line, without the space around it. */
  readonly in: string;
  readonly from: string;
  readonly to: string;
  /** How often `from` stands before it in its line; missing where it does not. */
  readonly nth?: number;
}

interface Result extends Told, Verdict {
  readonly line: number;
}

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string', default: '' },
    again: { type: 'boolean', default: false },
  },
});

await setUp();
setPriority(10);
const say = (line: string): void => console.log(line);
const known = await functionsOfTests(say);
const sources = globSync(SOURCES, { cwd: ROOT })
  .filter((path) => !LEFT_OUT.test(path))
  .sort()
  .map((path) => readSource(path, readFileSync(join(ROOT, path), 'utf8')));
const byPath = new Map(sources.map((source) => [source.path, source]));
const chosen = choose(options.seed, Number(options.count));
const before = options.again ? noticedLastTime() : new Map<string, Result>();
const tests = openMutatedTests(known);
const results: Result[] = [];
for (const [i, mutant] of chosen.entries()) {
  const result = before.get(keyOf(told(mutant))) ?? (await run(mutant));
  results.push(result);
  if (!isNoticed(result)) say(`${i + 1} of ${chosen.length}: ${inWords(result)}`);
  else if ((i + 1) % 25 === 0) say(`${i + 1} of ${chosen.length}`);
}
tests.close();
mkdirSync(dirname(REPORT), { recursive: true });
writeFileSync(REPORT, JSON.stringify(results, null, 1));
process.exitCode = summary() < GOAL ? 1 : 0;

async function run(mutant: Mutant): Promise<Result> {
  const source = sourceOf(mutant);
  const text = source.text.slice(0, mutant.start) + mutant.replacement + source.text.slice(mutant.end);
  const functions = functionsBehind(sources, source, mutant.start);
  const verdict = await tests.verdictOn(join(ROOT, mutant.path), text, functions);
  return { ...told(mutant), ...verdict, line: lineOf(mutant) };
}

/** So many places at random, and one change of each. A seed chooses the same places while other lines change. */
function choose(seed: string, count: number): Mutant[] {
  const same = new Set((JSON.parse(readFileSync(SAME, 'utf8')) as Told[]).map(keyOf));
  return sources
    .filter(({ path }) => path.includes(options.only))
    .flatMap(placesIn)
    .map((changes) => changes.map((mutant) => ({ mutant, order: orderOf(seed, mutant) })))
    .flatMap((changes) => changes.sort((a, b) => a.order.localeCompare(b.order)).slice(0, 1))
    .filter(({ mutant }) => !same.has(keyOf(told(mutant))))
    .sort((a, b) => a.order.localeCompare(b.order))
    .slice(0, count)
    .map(({ mutant }) => mutant)
    .sort((a, b) => a.path.localeCompare(b.path) || a.start - b.start);
}

function orderOf(seed: string, mutant: Mutant): string {
  return createHash('sha256')
    .update(seed + keyOf(told(mutant)))
    .digest('hex');
}

function noticedLastTime(): Map<string, Result> {
  const last = JSON.parse(readFileSync(REPORT, 'utf8')) as Result[];
  return new Map(last.filter(isNoticed).map((result) => [keyOf(result), result]));
}

function sourceOf({ path }: Mutant): Source {
  const source = byPath.get(path);
  if (!source) throw new Error(`${path} is no source`);
  return source;
}

function lineOf(mutant: Mutant): number {
  return sourceOf(mutant).text.slice(0, mutant.start).split('\n').length;
}

function told(mutant: Mutant): Told {
  const { text } = sourceOf(mutant);
  const line = text.split('\n')[lineOf(mutant) - 1] ?? '';
  const from = text.slice(mutant.start, mutant.end);
  const nth = text.slice(text.lastIndexOf('\n', mutant.start - 1) + 1, mutant.start).split(from).length - 1;
  return { path: mutant.path, in: line.trim(), from, to: mutant.replacement, ...(nth > 0 ? { nth } : {}) };
}

function keyOf({ path, in: line, from, to, nth }: Told): string {
  return JSON.stringify([path, line, from, to, ...(nth === undefined ? [] : [nth])]);
}

function isNoticed({ fate }: Verdict): boolean {
  return fate === 'noticed' || fate === 'too long';
}

function inWords({ path, line, from, to, fate }: Result): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 70);
  return `${fate}: ${path}:${line}  ${short(from)}  →  ${short(to) || 'nothing'}`;
}

/** Prints the figures by room. @returns per cent of all that were noticed */
function summary(): number {
  const rooms = new Map<string, Result[]>();
  for (const result of results) {
    const room = dirname(result.path).split('/').slice(2, 4).join('/');
    rooms.set(room, [...(rooms.get(room) ?? []), result]);
  }
  for (const [room, each] of [...rooms].sort(([a], [b]) => a.localeCompare(b))) {
    say(`${room.padEnd(24)} ${each.filter(isNoticed).length} of ${each.length}`);
  }
  const noticed = results.filter(isNoticed).length;
  const tooLong = results.filter(({ fate }) => fate === 'too long').length;
  const share = (100 * noticed) / Math.max(1, results.length);
  say(`Noticed: ${noticed} of ${results.length}, ${share.toFixed(1)} % (${tooLong} of them ran too long)`);
  return share;
}
