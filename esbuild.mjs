// Builds dist/: one self-contained bundle for each executable, the native SQLite module, the token table.
import { chmod, mkdir, rm } from 'node:fs/promises';
import { build } from 'esbuild';
import { buildTokenRanks } from './scripts/build-token-ranks.mjs';

const EXECUTABLES = { 'svc-memory-mcp': 'memory-mcp', 'svc-memory': 'svc-memory' };

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await build({
  entryPoints: Object.entries(EXECUTABLES).map(([out, main]) => ({ in: `src/server/main/${main}.ts`, out })),
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  minify: true,
  keepNames: true,
  sourcemap: false,
  legalComments: 'none',
  banner: { js: '#!/usr/bin/env node' },
  loader: { '.node': 'copy' },
  assetNames: '[name]',
  logLevel: 'warning',
});
buildTokenRanks('dist/o200k_base.bin');
for (const name of Object.keys(EXECUTABLES)) await chmod(`dist/${name}.js`, 0o755);
