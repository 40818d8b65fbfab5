// Part of the build: the parser and its grammars beside the bundles, packed, and with the largest of their lexers split.
// @ts-check
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { splitLexers } from './split-lexers.mjs';

const PACKAGE = 'node_modules/@vscode/tree-sitter-wasm/wasm';
/** As the list of bundled files names it. */
export const TREE_SITTER = `${PACKAGE}/tree-sitter.js`;
/** Grammars with lexers so large that each parser would need hundreds of megabytes: how many of them are split. */
export const SPLIT = new Map([
  ['bash', 1],
  ['c-sharp', 2],
  ['cpp', 2],
  ['powershell', 1],
  ['ruby', 1],
]);

/**
 * An esbuild plugin that puts the parser's script beside the bundles instead of into each: it is needed by few calls,
 * and what is bundled is read at every start.
 * @param {string} outdir
 * @returns {import('esbuild').Plugin}
 */
export function treeSitter(outdir) {
  return {
    name: 'tree-sitter',
    setup({ onResolve }) {
      onResolve({ filter: /^@vscode\/tree-sitter-wasm$/ }, async () => {
        await copyFile(TREE_SITTER, join(outdir, 'tree-sitter.js'));
        return { path: './tree-sitter.js', external: true };
      });
    },
  };
}

/** The runtime and the grammars, packed: they are 20 MB as they come. @param {string} outdir */
export async function copyGrammars(outdir) {
  const folder = join(outdir, 'grammars');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tree-sitter.wasm.br'), packed(await readFile(join(PACKAGE, 'tree-sitter.wasm'))));
  for (const grammar of await grammars()) {
    await writeFile(join(folder, `tree-sitter-${grammar}.wasm.br`), packed(await readGrammar(grammar)));
  }
}

/** The best quality takes half a minute for all of them, and saves a tenth more. @param {Uint8Array} wasm */
function packed(wasm) {
  return brotliCompressSync(wasm, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: wasm.length },
  });
}

/** Those that the table of languages names, each once. @returns {Promise<ReadonlySet<string>>} */
async function grammars() {
  const { outputFiles } = await build({
    ...{ entryPoints: ['src/server/graph/languages.ts'], bundle: true, format: 'esm', write: false },
  });
  const source = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  /** @type {typeof import('../src/server/graph/languages')} */
  const { ALL_LANGUAGES } = await import(`data:text/javascript;base64,${source}`);
  return new Set(ALL_LANGUAGES.map((language) => language.grammar));
}

/** @param {string} grammar */
async function readGrammar(grammar) {
  const { module, split } = splitLexers(await readFile(join(PACKAGE, `tree-sitter-${grammar}.wasm`)));
  const expected = SPLIT.get(grammar) ?? 0;
  if (split === expected) return module;
  throw new Error(
    `The grammar ${grammar} has ${split} lexers that can be split, not ${expected}: measure what it needs ("npm run bench -- graph"), then change SPLIT in scripts/tree-sitter.mjs`,
  );
}
