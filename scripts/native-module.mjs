// Part of the build: puts the compiled SQLite module beside the bundles. esbuild's loader `copy` knows one place for a
// file, and this one has two.
// @ts-check
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

const NATIVE = 'vscode-sqlite3.node';

/**
 * An esbuild plugin that puts the compiled SQLite module beside the bundle. The npm package leaves it out, because it
 * fits one platform only: there the bundle takes the dependency that npm has compiled on the machine.
 * @param {string} outdir
 * @returns {import('esbuild').Plugin}
 */
export function nativeModule(outdir) {
  return {
    name: 'native-module',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /vscode-sqlite3\.node$/ }, async ({ path, resolveDir, pluginData, namespace }) => {
        if (pluginData === NATIVE) return undefined; // our own question, below
        if (namespace === NATIVE) return { path, external: true };
        const { path: file } = await resolve(path, { resolveDir, kind: 'require-call', pluginData: NATIVE });
        await copyFile(file, join(outdir, NATIVE));
        return { path: file, namespace: NATIVE };
      });
      onLoad({ filter: /./, namespace: NATIVE }, () => ({
        contents: `try { module.exports = require('./${NATIVE}'); }
                   catch { module.exports = require('@vscode/sqlite3/build/Release/${NATIVE}'); }`,
      }));
    },
  };
}
