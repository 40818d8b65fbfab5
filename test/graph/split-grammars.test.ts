import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Language, Parser } from '@vscode/tree-sitter-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { splitLexers } from '../../scripts/split-lexers.mjs';
import { SPLIT } from '../../scripts/tree-sitter.mjs';

const ROOT = resolve(__dirname, '../..');
const GRAMMARS = resolve(ROOT, 'dist/grammars');
const PACKAGE = resolve(ROOT, 'node_modules/@vscode/tree-sitter-wasm/wasm');

/** Of all languages: what is wrong in one of them leads its parser everywhere. */
const SOURCES = globSync('test/graph/sources/*/*', { cwd: ROOT, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(resolve(entry.parentPath, entry.name), 'utf8'));

/** Every node of a tree, with where it stands. */
function treeOf(parser: Parser, text: string): string[] {
  const tree = parser.parse(text);
  if (!tree) throw new Error('No tree');
  const nodes: string[] = [];
  const cursor = tree.walk();
  for (let arrived = true; arrived; ) {
    nodes.push(`${cursor.nodeType} ${cursor.startIndex}-${cursor.endIndex} ${cursor.nodeIsMissing}`);
    if (cursor.gotoFirstChild()) continue;
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        arrived = false;
        break;
      }
    }
  }
  tree.delete();
  return nodes;
}

describe('a grammar whose lexers were split', () => {
  beforeAll(() => Parser.init({ locateFile: () => resolve(PACKAGE, 'tree-sitter.wasm') }));

  it.each([...SPLIT.keys()])('parses all sources into the same trees as before: %s', async (name) => {
    const parserOf = async (grammar: Buffer): Promise<Parser> => {
      const parser = new Parser();
      parser.setLanguage(await Language.load(grammar));
      return parser;
    };
    const original = readFileSync(resolve(PACKAGE, `tree-sitter-${name}.wasm`));
    const shipped = brotliDecompressSync(readFileSync(resolve(GRAMMARS, `tree-sitter-${name}.wasm.br`)));
    expect(shipped.equals(original)).toBe(false);
    const [before, after] = [await parserOf(original), await parserOf(shipped)];
    expect(SOURCES.length).toBeGreaterThan(20);
    for (const source of SOURCES) expect(treeOf(after, source)).toEqual(treeOf(before, source));
  });

  it('stays as it is where nothing is to be split, or what is there is not understood', () => {
    const small = readFileSync(resolve(PACKAGE, 'tree-sitter-go.wasm'));
    expect(splitLexers(small)).toEqual({ module: small, split: 0 });
    const strange = readFileSync(resolve(PACKAGE, 'tree-sitter-bash.wasm'));
    // No lexer makes room for its variables any more: what it subtracts, it adds.
    const room = Buffer.from([0x6b, 0x22, 0x02, 0x24, 0x00]);
    for (let at = strange.indexOf(room); at >= 0; at = strange.indexOf(room, at + 1)) strange[at] = 0x6a;
    expect(splitLexers(strange).split).toBe(0);
  });
});
