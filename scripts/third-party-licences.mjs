// Part of the build: the licences of what is bundled into dist/, most of which ask that their text goes along. Tools that
// list licences go by dependencies, and what is bundled, esbuild alone knows.
// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages that leave out the licence of their repository, each with one of the same owner that has the same text.
 * @type {Record<string, string | undefined>}
 */
const SAME_LICENCE = {
  '@vscode/l10n': '@vscode/tree-sitter-wasm',
  '@libsql/isomorphic-ws': '@libsql/hrana-client',
};

/**
 * @param {readonly string[]} files paths of bundled files, as esbuild's metafile names them
 * @returns {string} each package once, by name, with its version and the text of its licence
 * @throws {Error} when a package has no licence file
 */
export function thirdPartyLicences(files) {
  // "namespace:path" is what a plugin made of a file
  const real = files.filter((file) => !/^[\w.-]+:/.test(file));
  const folders = new Set(real.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? ''));
  folders.delete('');
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n${'─'.repeat(80)}\n\n`);
}

/** @param {string} folder @returns {string} */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const same = SAME_LICENCE[name];
  const text = licenceText(folder) || (same && licenceText(join('node_modules', same)));
  if (!text) throw new Error(`${name} has no licence file; look whether it may be bundled`);
  return `${name} ${version} (${license})\n\n${text}\n`;
}

/** @param {string} folder */
function licenceText(folder) {
  const files = readdirSync(folder).filter((entry) => /^licen[cs]e(?:-\w+)?(?:\.(?:md|txt|bsd|libcxx))?$/i.test(entry));
  return files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
}
