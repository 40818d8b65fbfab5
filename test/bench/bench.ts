import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCheckout } from './checkout';
import { measureDrivers } from './drivers';
import { measureEditor } from './editor';
import { measureGraph } from './graph';
import { measureHistories } from './histories/measure';
import { measureCandidates } from './ingest';
import { measureLimits } from './limits';
import { machine } from './machine';
import { measureQuality } from './quality';
import { qualitySets } from './quality-sets';
import { type Results, report } from './report';
import { ROOT } from './servers';
import { measureSize } from './speed';
import { measureStartup } from './startup';

const PARTS = ['quality', 'ingest', 'startup', 'speed', 'drivers', 'graph', 'limits', 'editor', 'checkout'] as const;
type Part = (typeof PARTS)[number];
/** Needs a registry and most of an hour, so that it runs only when it is named. */
const HISTORIES = 'histories';

const FULL = {
  sizes: [1_000, 10_000, 100_000],
  runs: 3,
  calls: 200,
  spawns: 20,
  notices: 20,
  rest: 5_000,
  every: 1,
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
  every: 4,
  memories: 30,
};

interface Request {
  readonly parts: readonly string[];
  readonly quick: boolean;
  readonly verbose: boolean;
  readonly json: boolean;
  /** A folder with sources of several languages. */
  readonly sources: string | undefined;
  /** Of histories: the packages with this in their name. */
  readonly only: string | undefined;
  /** Of histories: which functions are chosen. */
  readonly seed: number;
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
      },
    });
    const unknown = positionals.find((name) => ![...PARTS, HISTORIES].includes(name));
    if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
    return { ...values, sources: values.sources, only: values.only, seed: Number(values.seed), parts: positionals };
  } catch (error) {
    const usage = `npm run bench -- [${[...PARTS, HISTORIES].join('|')} …] [--quick] [--verbose] [--json] [--sources <folder>] [--only <package>] [--seed <n>]`;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nUsage: ${usage}\n`);
    process.exit(2);
  }
}

async function main(): Promise<void> {
  const { parts, quick, verbose, json, sources, only, seed } = readRequest();
  const wanted = (part: Part): boolean => parts.length === 0 || parts.includes(part);
  const { sizes, runs, calls, spawns, notices, rest, every, memories } = quick ? QUICK : FULL;
  const start = performance.now();
  const progress = (text: string): void => {
    process.stderr.write(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
  };

  const before = machine();
  const results: Results = { machine: before, quality: [], speed: [] };
  if (wanted('quality')) {
    for (const set of qualitySets()) {
      progress(`quality: ${set.name}`);
      results.quality.push(await measureQuality(set, every));
    }
  }
  if (wanted('ingest')) {
    progress('ingest: candidates');
    results.ingest = await measureCandidates();
  }
  if (parts.includes(HISTORIES)) results.histories = await measureHistories({ memories, seed, only, progress });
  if (wanted('startup')) {
    progress('start-up');
    results.startup = await measureStartup(spawns);
  }
  if (wanted('speed')) {
    for (const size of sizes) results.speed.push(await measureSize(size, { runs, calls, progress }));
  }
  if (wanted('drivers')) results.drivers = await measureDrivers({ runs, calls, spawns, progress });
  if (wanted('graph')) results.graph = await measureGraph({ runs, large: !quick, progress });
  if (wanted('limits')) results.limits = await measureLimits({ sources, large: !quick, progress });
  if (wanted('editor')) {
    results.editor = await measureEditor({ size: Math.max(...sizes), runs, calls, spawns, notices, rest, progress });
  }
  if (wanted('checkout')) results.checkout = await measureCheckout({ runs, progress });
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
