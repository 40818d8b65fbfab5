// npm run bench [-- quality|similar|poison|ingest|startup|speed|asking|drivers|graph|limits|editor|window|checkout|bring|serve|shared] [--quick] [--verbose] [--json]
// [--sources <folder>] [--sets <folder>] [--sample <n>] [--leave-one-out]: measures what is built.
// npm run bench -- histories [--only <package>] [--releases <file>] [--seed <n>] [--quick] [--verbose]: memories on the code of released packages.
// It needs a registry and most of an hour, and is no part of the whole.
// npm run bench -- store --before <folder>: memory_store of another built checkout and of this one, in turns; no part of the whole either.
// The whole of it, not quick, writes docs/benchmarks.md; a part of it only prints.
// @ts-check
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DEVELOPMENT_NODE, ROOT, run, setUp } from './setup.mjs';

await setUp();
// Only now is it certain that there are packages.
const { build } = await import('esbuild');
const { slimSdk } = await import('./slim-sdk.mjs');

const OUT = join(ROOT, 'node_modules', '.cache', 'bench');
await mkdir(OUT, { recursive: true });

/**
 * What drives the editor asks where its own file lies, and the bundle lies elsewhere. Our scripts wait for something when
 * they are loaded, and stay where they are.
 * @type {import('esbuild').Plugin}
 */
const whereItLies = {
  name: 'where-it-lies',
  setup(bundle) {
    bundle.onResolve({ filter: /[\\/]scripts[\\/][^\\/]+\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(resolve(resolveDir, path)).href,
      external: true,
    }));
    bundle.onLoad({ filter: /[\\/]workbench[\\/]support[\\/][^\\/]+\.ts$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: 'ts',
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const common = { bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning' };
await Promise.all([
  build({
    ...common,
    entryPoints: [join(ROOT, 'test/bench/bench.ts')],
    outfile: join(OUT, 'bench.cjs'),
    packages: 'external',
    sourcemap: 'inline',
    // The one of our scripts that is bundled asks it for the place of the packages.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'scripts', 'engine-program.mjs')).href) },
  }),
  build({
    ...common,
    entryPoints: [join(ROOT, 'test/bench/window-driver.ts')],
    outfile: join(OUT, 'window-driver.mjs'),
    format: 'esm',
    packages: 'external',
    plugins: [whereItLies],
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
