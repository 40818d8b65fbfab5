import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const SOURCES = ['src', 'queries', 'scripts/build-token-ranks.mjs', 'esbuild.mjs', 'package.json'];
const BUILT = [
  'svc-memory-mcp.js',
  'svc-memory.js',
  'svc-mcp.js',
  'svc.js',
  'svc-language-server.js',
  'o200k_base.bin',
].map((name) => `dist/${name}`);

/** Vitest's global set-up: tests of executables run what is built, so that is built when a source is newer. */
export default async function build(): Promise<void> {
  const newestSource = Math.max(...SOURCES.map((source) => newest(join(ROOT, source))));
  const oldestBuilt = Math.min(...BUILT.map((file) => modifiedAt(join(ROOT, file))));
  if (oldestBuilt > newestSource) return;
  execFileSync(process.execPath, ['esbuild.mjs'], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
}

function newest(path: string): number {
  if (!statSync(path).isDirectory()) return modifiedAt(path);
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function modifiedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
