import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine } from './machine';
import { measureQuality } from './quality';
import { qualitySets } from './quality-sets';
import { type Results, report } from './report';
import { ROOT } from './servers';
import { measureSize } from './speed';
import { measureStartup } from './startup';

const PARTS = ['quality', 'startup', 'speed'] as const;
type Part = (typeof PARTS)[number];

const FULL = { sizes: [1_000, 10_000, 100_000], runs: 3, calls: 200, spawns: 20, every: 1 };
/** Figures to see that nothing is broken, not to quote. */
const QUICK = { sizes: [1_000, 10_000], runs: 1, calls: 50, spawns: 5, every: 4 };

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const unknown = positionals.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}". The parts: ${PARTS.join(', ')}`);
  const wanted = (part: Part): boolean => positionals.length === 0 || positionals.includes(part);
  const { sizes, runs, calls, spawns, every } = values.quick ? QUICK : FULL;
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
  if (wanted('startup')) {
    progress('start-up');
    results.startup = await measureStartup(spawns);
  }
  if (wanted('speed')) {
    for (const size of sizes) results.speed.push(await measureSize(size, { runs, calls, progress }));
  }
  results.machine = { ...before, loadAfter: machine().load };
  progress('done');

  const complete = positionals.length === 0 && !values.quick;
  const text = report(results, { verbose: values.verbose, complete });
  process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : text);
  if (complete) {
    writeFileSync(join(ROOT, 'docs/benchmarks.md'), report(results, { verbose: false, complete }));
    progress('wrote docs/benchmarks.md');
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
