// Builds dist/: one self-contained bundle for each executable, the extension with its webviews, the native SQLite
// module, the token table, and the licences of what is bundled.
// `<name>.js` is what people start: three lines that let Node keep the compiled form of the bundle beside it.
// Arguments name the executables to build; without any, it is all of them.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildTokenRanks } from './scripts/build-token-ranks.mjs';
import { buildExtension } from './scripts/extension-bundle.mjs';
import { nativeModule } from './scripts/native-module.mjs';
import { buildProviderSdks, providerSdks } from './scripts/provider-sdks.mjs';
import { buildSecretLibrary, secretLibrary } from './scripts/secret-library.mjs';
import { slimSdk } from './scripts/slim-sdk.mjs';
import { writeTerminalCommands } from './scripts/terminal-commands.mjs';
import { thirdPartyLicences } from './scripts/third-party-licences.mjs';
import { copyGrammars, TREE_SITTER, treeSitter } from './scripts/tree-sitter.mjs';

const EXECUTABLES = {
  'svc-memory-mcp': 'memory-mcp',
  'svc-memory': 'svc-memory',
  'svc-mcp': 'graph-mcp',
  svc: 'svc',
  'svc-language-server': 'language-server',
};
/** Started or loaded by these. */
const WORKERS = {
  'svc-index-worker': 'index-worker',
  'svc-document-worker': 'document-worker',
  'svc-team': 'team',
  'svc-team-client': 'team-client',
  'svc-hook': 'hook',
};

const WEBVIEW = 'src/webview/main.ts';

const wanted = process.argv.slice(2);
const executables = Object.entries(EXECUTABLES)
  .filter(([name]) => wanted.length === 0 || wanted.includes(name))
  .filter(([, main]) => existsSync(`src/server/main/${main}.ts`));

/** What all bundles have in common. @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
};

// Built aside and moved in file by file, so that a server or a test that runs meanwhile never meets half a build.
await mkdir('dist', { recursive: true });
const aside = await mkdtemp(join('dist', '.new-'));
try {
  const bundles = [...executables, ...Object.entries(WORKERS)];
  const parts = [
    build({
      ...common,
      entryPoints: bundles.map(([out, main]) => ({ in: `src/server/main/${main}.ts`, out: `${out}.bundle` })),
      outdir: aside,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      plugins: [slimSdk(), nativeModule(aside), treeSitter(aside), providerSdks(), secretLibrary()],
    }),
  ];
  parts.push(buildSecretLibrary(aside));
  if (wanted.length === 0 || wanted.includes('svc')) parts.push(...buildProviderSdks(aside));
  if (wanted.length === 0)
    parts.push(buildExtension(common, aside), ...(existsSync(WEBVIEW) ? [webview(join(aside, 'webview'))] : []));
  const inputs = (await Promise.all(parts)).flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  await writeFile(join(aside, 'THIRD-PARTY-LICENCES.txt'), thirdPartyLicences([...inputs, TREE_SITTER]));
  await copyGrammars(aside);
  await cp('queries', join(aside, 'queries'), { recursive: true });
  buildTokenRanks(join(aside, 'o200k_base.bin'));
  for (const [name] of executables) await writeFile(join(aside, `${name}.js`), starter(name), { mode: 0o755 });
  await writeTerminalCommands(join(aside, 'terminal-bin'));
  const made = await readdir(aside, { recursive: true });
  // Folders first: a file refers to what is in them.
  const built = await readdir(aside, { withFileTypes: true });
  for (const { name } of built.filter((each) => each.isDirectory())) {
    // A folder that is not empty cannot be replaced by renaming.
    await cp(join(aside, name), join('dist', name), { recursive: true });
  }
  for (const { name } of built.filter((each) => !each.isDirectory()))
    await rename(join(aside, name), join('dist', name));
  if (wanted.length === 0) {
    for (const path of await readdir('dist', { recursive: true })) {
      if (!made.includes(path) && !path.startsWith('.new-'))
        await rm(join('dist', path), { recursive: true, force: true });
    }
  }
} finally {
  await rm(aside, { recursive: true, force: true });
}

/**
 * Keeping what is compiled saves some 5 ms of each start on Node 22 and later; only what is loaded after the call is kept. A
 * hook has a bundle of its own.
 */
function starter(name) {
  const bundle = `'./${name}.bundle.js'`;
  const wanted = name === 'svc-memory' ? `process.argv[2] === 'hook' ? './svc-hook.bundle.js' : ${bundle}` : bundle;
  return `#!/usr/bin/env node\nrequire('node:module').enableCompileCache?.();\nrequire(${wanted});\n`;
}

/** What runs inside the editor's webviews, with its style and fonts beside it. @param {string} outdir */
function webview(outdir) {
  return build({
    ...common,
    entryPoints: [WEBVIEW],
    outdir,
    platform: 'browser',
    target: 'es2022',
    format: 'esm',
    assetNames: '[name]',
    loader: { '.ttf': 'file' },
    // The library that draws graphs is larger than all the rest: loaded when one is drawn.
    splitting: true,
    chunkNames: '[name]',
  });
}
