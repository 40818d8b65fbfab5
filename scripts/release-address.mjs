// npm run release:address [-- <https address of the repository>]: writes into package.json where the project is at home: repository,
// homepage and bugs. Pages of packages follow links and pictures of README.md from there. Without an argument it is the
// repository of the runner (GITHUB_SERVER_URL, GITHUB_REPOSITORY). Nothing else in the project names it.
// With --check it only looks, and fails when that is missing: nothing is published without it.
// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT, stop } from './setup.mjs';

/**
 * @typedef {{ readonly repository?: { readonly type?: string, readonly url?: string }, readonly homepage?: string,
 *   readonly bugs?: { readonly url?: string } }} Addresses
 */

const MANIFEST = join(ROOT, 'package.json');
const HOW = 'npm run release:address -- https://github.com/<owner>/<name>';

/** @param {string | undefined} given @param {Readonly<Record<string, string | undefined>>} environment */
export function addressOf(given, environment) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = environment;
  const address = given ?? (server && name ? `${server}/${name}` : undefined);
  if (address === undefined) throw new Error(`Nobody said where the repository is: ${HOW}`);
  if (!/^https:\/\/[\w.-]+(?:\/[\w.-]+){2,}$/.test(address) || address.endsWith('.git')) {
    throw new Error(`"${address}" is no address of a repository: ${HOW}`);
  }
  return address;
}

/** @param {string} address @returns {Required<Addresses>} */
export function addressesAt(address) {
  return {
    repository: { type: 'git', url: `git+${address}.git` },
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
  };
}

/** What keeps a manifest from being published; undefined where nothing does. @param {Addresses} manifest */
export function missingAddress({ repository, homepage, bugs }) {
  const address = /^git\+(https:\/\/.+)\.git$/.exec(repository?.url ?? '')?.[1];
  if (address === undefined) return `package.json does not say where the repository is: ${HOW}`;
  const said = JSON.stringify({ repository, homepage, bugs });
  return said === JSON.stringify(addressesAt(address)) ? undefined : `package.json names several repositories: ${HOW}`;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
    const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    if (values.check) {
      const missing = missingAddress(manifest);
      if (missing !== undefined) throw new Error(missing);
    } else {
      const address = addressOf(positionals[0], process.env);
      writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, ...addressesAt(address) }, null, 2)}\n`);
      console.log(`package.json: ${address}`);
    }
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
}
