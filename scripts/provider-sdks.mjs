// Part of the build: the SDKs of providers stay out of the bundles and are loaded on use. esbuild's `external` knows one
// place for a package, and these have two.
// @ts-check
import { build } from 'esbuild';

/** The official packages of cloud providers, each as a file of its own: few runs need one, and they are large. */
const SDKS = new Map([
  ['@anthropic-ai/sdk', 'anthropic-sdk.js'],
  ['openai', 'openai-sdk.js'],
]);
const NAMESPACE = 'provider-sdk';

/**
 * An esbuild plugin that has them loaded on use: from beside the bundle, where the editor extension and a clone have
 * them; else from where the user installed them, because the npm package leaves them out.
 * @returns {import('esbuild').Plugin}
 */
export function providerSdks() {
  return {
    name: NAMESPACE,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^(?:@anthropic-ai\/sdk|openai)$/ }, ({ path, namespace }) =>
        namespace === NAMESPACE ? { path, external: true } : { path, namespace: NAMESPACE },
      );
      onResolve({ filter: /^\.\//, namespace: NAMESPACE }, ({ path }) => ({ path, external: true }));
      onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
        contents: `try { module.exports = require('./${SDKS.get(path)}'); }
                   catch (error) {
                     if (error.code !== 'MODULE_NOT_FOUND') throw error;
                     module.exports = require('${path}');
                   }`,
      }));
    },
  };
}

/** Verifies what is sent to web servers, which we are not; and its package brings no licence text. @type {import('esbuild').Plugin} */
const withoutWebhooks = {
  name: 'without-webhooks',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^standardwebhooks$/ }, ({ path }) => ({ path, namespace: 'without-webhooks' }));
    onLoad({ filter: /./, namespace: 'without-webhooks' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** @param {string} outdir @returns {Promise<import('esbuild').BuildResult>[]} */
export function buildProviderSdks(outdir) {
  return [...SDKS].map(([name, file]) =>
    build({
      stdin: { contents: `module.exports = require('${name}');`, resolveDir: '.' },
      outfile: `${outdir}/${file}`,
      // The names of their classes are what they tell servers about themselves.
      ...{ bundle: true, minify: true, keepNames: true, legalComments: 'none', logLevel: 'warning', metafile: true },
      ...{ platform: 'node', target: 'node20', format: 'cjs' },
      plugins: [withoutWebhooks],
    }),
  );
}
