// npm run bench [-- quality|similar|poison|ingest|startup|speed|asking|drivers|graph|limits|editor|checkout|bring|serve|shared] [--quick] [--verbose] [--json]
// [--sources <folder>] [--sets <folder>] [--sample <n>] [--leave-one-out]: measures what is built.
// npm run bench -- histories [--only <package>] [--releases <file>] [--seed <n>] [--quick] [--verbose]: memories on the code of released packages.
// It needs a registry and most of an hour, and is no part of the whole.
// npm run bench -- store --before <folder>: memory_store of another built checkout and of this one, in turns; no part of the whole either.
// The whole of it, not quick, writes docs/benchmarks.md; a part of it only prints.
// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEVELOPMENT_NODE, ROOT, run, setUp } from './setup.mjs';

await setUp();
// Only now is it certain that there are packages.
const { build } = await import('esbuild');
const { slimSdk } = await import('./slim-sdk.mjs');

const OUT = join(ROOT, 'node_modules', '.cache', 'bench');
await mkdir(OUT, { recursive: true });

/** @type {import('esbuild').BuildOptions} */
const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
await Promise.all([
  build({
    ...common,
    entryPoints: [join(ROOT, 'test/bench/bench.ts')],
    outfile: join(OUT, 'bench.cjs'),
    packages: 'external',
    sourcemap: 'inline',
  }),
  // Two servers that do nothing: one with everything that esbuild.mjs does for ours, one as anybody would have it.
  build({
    ...common,
    entryPoints: [join(ROOT, 'test/bench/do-nothing-server.ts')],
    outfile: join(OUT, 'do-nothing.bundle.js'),
    minify: true,
    keepNames: true,
    legalComments: 'none',
    plugins: [slimSdk()],
  }),
  build({
    ...common,
    entryPoints: [join(ROOT, 'test/bench/do-nothing-plain-server.ts')],
    outfile: join(OUT, 'do-nothing-plain.js'),
    minify: true,
  }),
]);
await writeFile(
  join(OUT, 'do-nothing.js'),
  "require('node:module').enableCompileCache?.();\nrequire('./do-nothing.bundle.js');\n",
);
process.exit(await run(DEVELOPMENT_NODE, ['--enable-source-maps', join(OUT, 'bench.cjs'), ...process.argv.slice(2)]));
