// Part of the build: the library that knows forms of secrets is a file of its own beside the bundles. Few texts need it, so no
// server loads it when it starts.
// @ts-check
import { build } from 'esbuild';

const FILE = 'secretlint.js';
const NAMESPACE = 'secret-library';
const PACKAGES = /^@secretlint\/(?:core|secretlint-rule-preset-recommend)$/;

/** An esbuild plugin that has it loaded on use, from beside the bundle. @returns {import('esbuild').Plugin} */
export function secretLibrary() {
  return {
    name: NAMESPACE,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: PACKAGES }, ({ path }) => ({ path, namespace: NAMESPACE }));
      onResolve({ filter: /^\.\//, namespace: NAMESPACE }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: NAMESPACE }, () => ({ contents: `module.exports = require('./${FILE}');` }));
    },
  };
}

/**
 * What of it is of no use here: a debugger and a profiler, which would keep notes of each text, and the cryptography for a
 * rule that opens files of keys.
 * @type {import('esbuild').Plugin}
 */
const slim = {
  name: 'slim-secret-library',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:debug|@secretlint\/profiler)$/ }, ({ path }) => ({ path, namespace: 'nothing' }));
    onResolve({ filter: /^\.\/index-[\w-]+\.js$/ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace: 'nothing' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'nothing' }, () => ({
      contents: `export default () => () => {}; export const secretLintProfiler = { mark() {} };`,
    }));
  },
};

/** @param {string} outdir @returns {Promise<import('esbuild').BuildResult>} */
export function buildSecretLibrary(outdir) {
  return build({
    stdin: {
      contents: `export { lintSource } from '@secretlint/core'; export { creator } from '@secretlint/secretlint-rule-preset-recommend';`,
      resolveDir: '.',
    },
    outfile: `${outdir}/${FILE}`,
    ...{ bundle: true, minify: true, legalComments: 'none', logLevel: 'warning', metafile: true },
    ...{ platform: 'node', target: 'node20', format: 'cjs' },
    plugins: [slim],
  });
}
