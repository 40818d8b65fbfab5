// @ts-check
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const PACKAGE = 'node_modules/@vscode/tree-sitter-wasm/wasm';
/** As the list of bundled files names it. */
export const TREE_SITTER = `${PACKAGE}/tree-sitter.js`;
const GRAMMARS = 'bash c-sharp cpp go java javascript php python ruby rust tsx typescript'.split(' ');

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

/** The runtime and the grammars, these zipped: they are 20 MB as they come. @param {string} outdir */
export async function copyGrammars(outdir) {
  const folder = join(outdir, 'grammars');
  await mkdir(folder, { recursive: true });
  await copyFile(join(PACKAGE, 'tree-sitter.wasm'), join(folder, 'tree-sitter.wasm'));
  for (const grammar of GRAMMARS) {
    const name = `tree-sitter-${grammar}.wasm`;
    await writeFile(join(folder, `${name}.gz`), gzipSync(await readFile(join(PACKAGE, name))));
  }
}
