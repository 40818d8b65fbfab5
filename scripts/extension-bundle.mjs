// Part of the build: what the editor loads, in pieces. What is activated first is small, and every piece that it imports later is
// a file of its own. The editor waits for the first one, and so do the other extensions.
// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build, transform } from 'esbuild';
import { oneEditorApi } from './one-editor-api.mjs';

/**
 * Writes extension.js, and its later pieces into extension/. esbuild splits only ES modules, and the editor gives `vscode` only
 * to what is required: so each piece is turned into CommonJS after the splitting. A module that two pieces share is in a third,
 * so its state is there once.
 * @param {import('esbuild').BuildOptions} common
 * @param {string} outdir
 * @returns {Promise<import('esbuild').BuildResult>}
 */
export async function buildExtension(common, outdir) {
  const host = /** @type {const} */ ({ platform: 'node', target: 'node20' });
  const built = await build({
    ...common,
    ...host,
    entryPoints: ['src/extension/extension.ts'],
    outdir,
    write: false,
    format: 'esm',
    splitting: true,
    chunkNames: 'extension/[name]-[hash]',
    plugins: [oneEditorApi()],
  });
  for (const { path, text } of built.outputFiles) {
    const required = { ...host, format: /** @type {const} */ ('cjs'), supported: { 'dynamic-import': false } };
    const { code } = await transform(text, { ...required, minify: true });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, code);
  }
  return built;
}
