import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAsking } from './asking';
import { measureBring } from './bring';
import { measureCheckout } from './checkout';
import { measureDrivers } from './drivers';
import { measureEditor } from './editor';
import { measureGraph } from './graph';
import { measureHistories } from './histories/measure';
import { measureHooks } from './hooks';
import { measureCandidates } from './ingest';
import { leaveOneOut } from './leave-one-out';
import { measureLimits } from './limits';
import { machine } from './machine';
import { measurePoison } from './poison';
import { measureQuality } from './quality';
import { type QualitySet, qualitySets } from './quality-sets';
import { type Results, report } from './report';
import { measureServe } from './serve';
import { ROOT } from './servers';
import { measureSharedQuality } from './shared-quality';
import { missingSets, SHARED } from './shared-sets';
import { measureShared } from './shared-speed';
import { measureSimilar } from './similar';
import { measureSize } from './speed';
import { measureStartup } from './startup';
import { compareStore } from './store-before';
import { measureWindow } from './window';

const PARTS = [
  'quality',
  'similar',
  'poison',
  'ingest',
  'startup',
  'hooks',
  'speed',
  'asking',
  'drivers',
  'graph',
  'limits',
  'editor',
  'window',
  'checkout',
  'bring',
  'serve',
  'shared',
] as const;
type Part = (typeof PARTS)[number];
/** Needs a registry and most of an hour, so that it runs only when it is named. */
const HISTORIES = 'histories';
/** Compares with the programs of another checkout, so that it runs only when it is named. */
const STORE = 'store';

const FULL = {
  sizes: [1_000, 10_000, 100_000],
  runs: 3,
  calls: 200,
  spawns: 20,
  notices: 20,
  rest: 5_000,
  sample: undefined,
  memories: 100,
};
/** Figures to see that nothing is broken, not to quote. */
const QUICK = {
  sizes: [1_000, 10_000],
  runs: 1,
  calls: 50,
  spawns: 5,
  notices: 5,
  rest: 5_000,
  sample: 40,
  memories: 30,
};

interface Request {
  readonly parts: readonly string[];
  readonly quick: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** A folder with sources of several languages. */
  readonly sources: string | undefined;
  /** Of histories: the packages with this in their name; of quality: the sets. */
  readonly only: string | undefined;
  /** Of histories: a file with other packages than `data/histories.json`. */
  readonly releases: string | undefined;
  /** Of histories: which functions are chosen. */
  readonly seed: number;
  /** Where the sets of others are. */
  readonly sets: string;
  /** Of store: a built checkout to compare with. */
  readonly before: string | undefined;
  /** Of quality: how many questions of each set. */
  readonly sample: number | undefined;
  /** Of quality: choose weights on the other sets, for each set. */
  readonly 'leave-one-out': boolean;
}

/** Ends the process with a hint when the command line holds something unknown. */
function readRequest(): Request {
  try {
    const flag = { type: 'boolean', default: false } as const;
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        ...{ quick: flag, verbose: flag, json: flag },
        ...{ sources: { type: 'string' }, only: { type: 'string' }, seed: { type: 'string', default: '1' } },
        ...{ releases: { type: 'string' }, before: { type: 'string' } },
        ...{ sets: { type: 'string', default: SHARED }, sample: { type: 'string' }, 'leave-one-out': flag },
      },
    });
    const unknown = positionals.find((name) => ![...PARTS, HISTORIES, STORE].includes(name));
    if (positionals.includes(STORE) && values.before === undefined) throw new Error('"store" needs --before <folder>.');
    if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
    return {
      ...{
        ...values,
        sources: values.sources,
        only: values.only,
        releases: values.releases,
        before: values.before,
        seed: Number(values.seed),
        parts: positionals,
      },
      sample: values.sample === undefined ? undefined : Number(values.sample),
    };
  } catch (error) {
    const usage = `npm run bench -- [${[...PARTS, HISTORIES, STORE].join('|')} …] [--quick] [--verbose] [--json] [--sources <folder>] [--only <package or set>] [--releases <file>] [--before <folder>] [--seed <n>] [--sets <folder>] [--sample <n>] [--leave-one-out]`;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}\n`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const {
    parts,
    quick,
    verbose,
    json,
    sources,
    only,
    releases,
    seed,
    before: other,
    sets,
    sample: drawn,
    'leave-one-out': leavesOut,
  } = readRequest();
  const wanted = (part: Part): boolean => parts.length === 0 || parts.includes(part);
  const { sizes, runs, calls, spawns, notices, rest, sample, memories } = quick ? QUICK : FULL;
  const start = performance.now();
  const progress = (text: string): void => {
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
  };

  if (other !== undefined && parts.includes(STORE)) {
    process.stdout.write(`${await compareStore(other, quick ? QUICK.calls : FULL.calls)}\n`);
    return;
  }
  const wantedSets = (): QualitySet[] => qualitySets(sets).filter(({ name }) => name.includes(only ?? ''));
  const before = machine();
  const results: Results = { machine: before, quality: [], speed: [] };
  if (wanted('quality')) {
    results.missingSets = missingSets(sets);
    for (const file of results.missingSets) progress(`quality: there is no ${join(sets, file)}`);
    for (const set of wantedSets()) {
      progress(`quality: ${set.name}`);
      results.quality.push(await measureQuality(set, { sample: drawn ?? sample }));
    }
  }
  if (leavesOut && wanted('quality')) results.leftOut = await leaveOneOut(wantedSets(), drawn ?? sample, progress);
  if (wanted('similar')) {
    progress('similar memories');
    results.similar = await measureSimilar(sets, quick ? 4 : 1);
    if (!results.similar) progress('similar memories: the set of conventions is not there: not measured');
  }
  if (wanted('poison')) {
    progress('planted memories');
    results.poison = await measurePoison();
  }
  if (wanted('ingest')) {
    progress('ingest: candidates');
    results.ingest = await measureCandidates();
  }
  if (parts.includes(HISTORIES))
    results.histories = await measureHistories({ memories, seed, only, releases, progress });
  if (wanted('startup')) {
    progress('start-up');
    results.startup = await measureStartup(spawns);
  }
  if (wanted('hooks')) {
    progress('hooks');
    results.hooks = await measureHooks(Math.max(...sizes), spawns);
  }
  if (wanted('speed')) {
    for (const size of sizes) results.speed.push(await measureSize(size, { runs, calls, progress }));
  }
  if (wanted('asking')) results.asking = await measureAsking({ sizes, spawns, calls, progress });
  if (wanted('drivers')) results.drivers = await measureDrivers({ runs, calls, spawns, progress });
  if (wanted('graph')) results.graph = await measureGraph({ runs, large: !quick, progress });
  if (wanted('limits')) results.limits = await measureLimits({ sources, large: !quick, progress });
  if (wanted('editor')) {
    results.editor = await measureEditor({ size: Math.max(...sizes), runs, calls, spawns, notices, rest, progress });
  }
  if (wanted('window')) {
    progress('window');
    results.window = await measureWindow(quick ? 2 : 5, quick ? 20 : 60);
  }
  if (wanted('checkout')) results.checkout = await measureCheckout({ runs, progress });
  if (wanted('bring')) results.bring = await measureBring(progress);
  if (wanted('serve')) results.serve = await measureServe(calls, progress);
  if (wanted('shared')) {
    results.shared = await measureShared(calls, progress);
    results.sharedQuality = [];
    for (const set of qualitySets(sets)) {
      progress(`shared memories: quality, ${set.name}`);
      results.sharedQuality.push(await measureSharedQuality(set, drawn ?? sample));
    }
  }
  results.machine = { ...before, loadAfter: machine().load };
  progress('done');

  const complete = parts.length === 0 && !quick;
  const text = report(results, { verbose, complete });
  process.stdout.write(json ? `${JSON.stringify(results, null, 2)}\n` : text);
  if (complete) {
    writeFileSync(join(ROOT, 'docs/benchmarks.md'), report(results, { verbose: false, complete }));
    progress('wrote docs/benchmarks.md');
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
