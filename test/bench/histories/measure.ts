/** Walks through released versions of packages, and judges what is said of memories on their functions. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, seededRandom } from '../../support/random';
import { RpcClient } from '../rpc-client';
import { ROOT, withPlace, withServer } from '../servers';
import { judge, type Outcome, Release, type Said, shouldBeNamed } from './judge';
import { type Callable, callablesIn } from './oracle';
import { commitReleases, filesBelow, git, type PackageHistory, releaseFolder } from './releases';

export interface HistoryQuality {
  readonly package: string;
  readonly releases: number;
  readonly memories: number;
  /** Names of the oracle that mean nothing to the product, or something else. */
  readonly unlinked: readonly string[];
  readonly verdicts: number;
  /** Those that were neither unchanged nor moved. */
  readonly doubts: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Verdicts on functions that are not in their place, whose simple name stands once elsewhere. */
  readonly stoodElsewhere: number;
  /** Of these, those that were lost. */
  readonly lostElsewhere: number;
  readonly flips: number;
  /** What `check` said of the commits between two releases: rightly named, named though its code is the same, not named. */
  readonly named: number;
  readonly wronglyNamed: number;
  readonly unnamed: number;
  /** Each thing that was not right, once, as it was first seen. */
  readonly disagreements: readonly string[];
}

export interface HistoriesOptions {
  readonly memories: number;
  readonly seed: number;
  /** Only the packages with this in their name. */
  readonly only?: string | undefined;
  /** A file like `data/histories.json`, which is what is read otherwise. */
  readonly releases?: string | undefined;
  readonly progress: (text: string) => void;
}

export async function measureHistories(options: HistoriesOptions): Promise<HistoryQuality[]> {
  const file = options.releases ?? join(ROOT, 'test/bench/data/histories.json');
  // As it was given to the benchmark.
  const all = JSON.parse(readFileSync(file, 'utf8')) as PackageHistory[];
  const results: HistoryQuality[] = [];
  for (const history of all.filter((one) => one.package.includes(options.only ?? ''))) {
    results.push(await measureHistory(history, options));
  }
  return results;
}

interface Linked {
  readonly id: string;
  readonly callable: Callable;
  readonly release: number;
}

interface StalePair {
  readonly node_id: string;
  readonly verdict: string;
  readonly now?: { readonly file_path: string; readonly name: string };
}

function measureHistory(history: PackageHistory, { memories, seed, progress }: HistoriesOptions) {
  return withPlace(async ({ folder: base }): Promise<HistoryQuality> => {
    const say = (text: string): void => progress(`histories: ${history.package}: ${text}`);
    say('releases');
    const folders = history.versions.map((version) => releaseFolder(history, version));
    const releases = folders.map((folder) => new Release(callablesIn(folder, filesBelow(folder))));
    const folder = join(base, 'repository');
    mkdirSync(folder);
    const commits = commitReleases(folder, folders);
    const env = { PATH: process.env.PATH ?? '', HOME: base };
    const run = (program: string, ...args: string[]): void => {
      execFileSync(process.execPath, [join(ROOT, 'dist', program), ...args], { cwd: folder, env, stdio: 'ignore' });
    };
    const build = (of = folder): void => run('svc.js', 'build', of);
    const goTo = (i: number): string => git(folder, 'checkout', '--force', '--detach', '--quiet', commits[i] ?? '');
    run('svc-memory.js', 'init');
    const random = seededRandom(seed);
    const last = releases.length - 1;
    const third = Math.floor(releases.length / 3);
    const bases = [random.below(third), last - random.below(third)];
    const linked: Linked[] = [];
    const unlinked: string[] = [];
    const tally = newTally();
    const hear = (server: RpcClient, i: number, way: string): Promise<void> =>
      listen(server, { i, way, linked, releases, versions: history.versions, tally });

    await withServer(new RpcClient(join(ROOT, 'dist/svc-memory-mcp.js'), folder, env), async (server) => {
      for (const release of bases) {
        goTo(release);
        build();
        say(`memories at ${history.versions[release]}`);
        for (const callable of chosen(releases[release], memories / bases.length, random)) {
          const id = await remember(server, callable, history.versions[release] ?? '');
          if (id === undefined) unlinked.push(`${callable.path}#${callable.name}`);
          else linked.push({ id, callable, release });
        }
      }
      const walk = async (
        way: string,
        steps: readonly number[],
        builds: () => boolean,
        checks = false,
      ): Promise<void> => {
        say(way);
        for (const i of steps) {
          goTo(i);
          if (builds()) build();
          await hear(server, i, way);
          const since = commits[i - 1];
          if (checks && since !== undefined) {
            hearCheck(namedBetween(folder, env, since), {
              i,
              way,
              linked,
              releases,
              versions: history.versions,
              tally,
            });
          }
        }
      };
      const forwards = releases.map((_, i) => i);
      await walk('a jump back without a build', [0], () => false);
      await walk('forwards without builds', forwards, () => false, true);
      await walk('a jump back with a build', [0], () => true);
      await walk('forwards with builds', forwards, () => true, true);
      await walk('back with builds', forwards.toReversed(), () => true);
      await walk('a jump over all', [last], () => true);
      const anywhere = Array.from({ length: releases.length }, () => random.below(releases.length));
      await walk('to and fro', anywhere, () => random.below(2) === 0);
    });
    say('new work trees');
    for (const i of new Set([0, last, random.below(last)])) {
      const tree = join(base, `tree-${i}`);
      git(folder, 'worktree', 'add', '--quiet', '--detach', tree, commits[i] ?? '');
      build(tree);
      await withServer(new RpcClient(join(ROOT, 'dist/svc-memory-mcp.js'), tree, env), (server) =>
        hear(server, i, 'a new work tree'),
      );
    }
    const { outcomes, seen: _, ...counted } = tally;
    const named = { package: history.package, releases: releases.length, memories: linked.length, unlinked };
    return { ...named, outcomes: Object.fromEntries(outcomes), ...counted };
  });
}

/** Functions whose name is theirs alone in their file. */
function chosen(release: Release | undefined, count: number, random: Random): Callable[] {
  const left = (release?.all ?? []).filter((one) => release?.at(one).length === 1);
  const found: Callable[] = [];
  while (found.length < count && left.length > 0) found.push(...left.splice(random.below(left.length), 1));
  return found;
}

/** @param version another memory than one of the same function at another release */
async function remember(server: RpcClient, { path, name }: Callable, version: string): Promise<string | undefined> {
  const entity = `${path}#${name}`;
  const input = { kind: 'fact', content: `about ${entity} of ${version}`, entities: [entity] };
  const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
  const [place, second] = await placesOf(server, node_id);
  if (place && !second && place.path === path && place.name === name) return node_id;
  // A name may mean what is called otherwise; the oracle knows it by its own name alone.
  await server.value('memory_forget', { node_id });
  return undefined;
}

async function placesOf(server: RpcClient, memory_id: string): Promise<{ path: string; name: string }[]> {
  const text = await server.text('memory_to_code', { memory_id });
  const places = JSON.parse(text) as { graph_node_id: string; file_path: string }[];
  return places.map(({ graph_node_id, file_path }) => ({
    path: file_path,
    // type:path:name:line
    name: graph_node_id.slice(graph_node_id.indexOf(file_path) + file_path.length + 1, graph_node_id.lastIndexOf(':')),
  }));
}

/** What all answers came to. */
interface Tally {
  readonly outcomes: Map<Outcome, number>;
  readonly seen: Map<string, string>;
  readonly disagreements: string[];
  verdicts: number;
  doubts: number;
  stoodElsewhere: number;
  lostElsewhere: number;
  flips: number;
  named: number;
  wronglyNamed: number;
  unnamed: number;
}

function newTally(): Tally {
  const counts = { verdicts: 0, doubts: 0, stoodElsewhere: 0, lostElsewhere: 0, flips: 0 };
  const checks = { named: 0, wronglyNamed: 0, unnamed: 0 };
  return { outcomes: new Map(), seen: new Map(), disagreements: [], ...counts, ...checks };
}

interface Hearing {
  readonly i: number;
  readonly way: string;
  readonly linked: readonly Linked[];
  readonly releases: readonly Release[];
  readonly versions: readonly string[];
  readonly tally: Tally;
}

async function listen(server: RpcClient, { i, way, linked, releases, versions, tally }: Hearing): Promise<void> {
  const report = await server.value<{ stale_nodes: StalePair[]; missing_nodes: StalePair[] }>(
    'memory_verify_staleness',
    { queue: false },
  );
  const pairs = new Map([...report.stale_nodes, ...report.missing_nodes].map((pair) => [pair.node_id, pair]));
  const now = releases[i];
  if (!now) return;
  for (const { id, callable, release } of linked) {
    const said = await saidOf(server, id, callable, pairs.get(id));
    const { outcome, stoodElsewhere } = judge(callable, releases[release] ?? now, now, said);
    tally.verdicts += 1;
    if (said.verdict !== 'unchanged' && said.verdict !== 'moved') tally.doubts += 1;
    tally.outcomes.set(outcome, (tally.outcomes.get(outcome) ?? 0) + 1);
    if (stoodElsewhere) tally.stoodElsewhere += 1;
    if (stoodElsewhere && outcome === 'lost') tally.lostElsewhere += 1;
    const what = `${callable.path}#${callable.name} of ${versions[release]} at ${versions[i]}`;
    const answer = `${said.verdict} ${said.at ? `${said.at.path}#${said.at.name}` : 'nowhere'}`;
    const before = tally.seen.get(what);
    if (before === undefined) {
      tally.seen.set(what, answer);
      if (outcome !== 'right') tally.disagreements.push(`${outcome}: ${what}: ${answer} (${way})`);
    } else if (before !== answer) {
      tally.flips += 1;
      tally.disagreements.push(`flip: ${what}: ${before}, then ${answer} (${way})`);
    }
  }
}

/** @returns the memories that `check` names for all commits since then */
function namedBetween(folder: string, env: Readonly<Record<string, string>>, since: string): ReadonlySet<string> {
  const args = [join(ROOT, 'dist/svc-memory.js'), 'check', '--since', since, '--json'];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0 && status !== 1) throw new Error(`check ends with ${status}: ${stderr}`);
  const { memories } = JSON.parse(stdout) as { memories: readonly { readonly id: string }[] };
  return new Set(memories.map(({ id }) => id));
}

function hearCheck(named: ReadonlySet<string>, { i, way, linked, releases, versions, tally }: Hearing): void {
  const [before, now] = [releases[i - 1], releases[i]];
  if (!before || !now) return;
  for (const { id, callable } of linked) {
    const expected = shouldBeNamed(callable, before, now);
    if (expected === undefined) continue;
    const isNamed = named.has(id);
    if (isNamed && expected) tally.named += 1;
    else if (isNamed) tally.wronglyNamed += 1;
    else if (expected) tally.unnamed += 1;
    if (isNamed === expected) continue;
    const what = isNamed ? 'wrongly named' : 'not named';
    const step = `${versions[i - 1]} to ${versions[i]}`;
    tally.disagreements.push(`check: ${what}: ${callable.path}#${callable.name} from ${step} (${way})`);
  }
}

async function saidOf(
  server: RpcClient,
  id: string,
  { path, name }: Callable,
  pair: StalePair | undefined,
): Promise<Said> {
  const own = { path, name };
  // What the clock has nothing against either is in its place.
  if (!pair) return { verdict: 'unchanged', at: own };
  const { verdict, now } = pair;
  if (now) return { verdict, at: { path: now.file_path, name: now.name } };
  if (verdict !== 'other version') return { verdict, at: verdict === 'gone' ? undefined : own };
  return { verdict, at: (await placesOf(server, id))[0] };
}
