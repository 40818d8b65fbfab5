import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import type { Language } from './languages';

/** The only import of tree-sitter. */

/** A definition as a query found it; rows are counted from 0, offsets in UTF-16 units. */
export interface RawDefinition {
  /** The name of the capture: `function`, `method`, … or `scope` for what only gives its name to what it holds. */
  readonly kind: string;
  readonly name: string;
  readonly receiver: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly startRow: number;
  readonly endRow: number;
}

export interface RawReference {
  readonly kind: 'call' | 'import' | 'inherit';
  readonly name: string;
  /** Where an imported name comes from, as it is written. */
  readonly module: string | undefined;
  readonly at: number;
  readonly row: number;
}

export interface Parsed {
  readonly definitions: readonly RawDefinition[];
  readonly references: readonly RawReference[];
}

export interface SourceParser {
  /** Never fails on wrong syntax: what can be read of the text is found. */
  parse(text: string, language: Language): Promise<Parsed>;
}

interface Loaded {
  readonly parser: treeSitter.Parser;
  readonly query: treeSitter.Query;
}

const unzip = promisify(gunzip);

/** @param assets the folder with `grammars/` and `queries/`: that of the built programs */
export function openParser(assets: string): SourceParser {
  let library: Promise<typeof treeSitter> | undefined;
  const languages = new Map<string, Promise<Loaded>>();

  async function start(): Promise<typeof treeSitter> {
    // Loaded by whoever parses first: it and a grammar cost tens of milliseconds.
    const module: typeof treeSitter & { readonly default?: typeof treeSitter } = await import(
      '@vscode/tree-sitter-wasm'
    );
    // Node cannot tell what this script of CommonJS exports, and hands it over whole.
    const loaded = module.default ?? module;
    await loaded.Parser.init({ locateFile: () => join(assets, 'grammars', 'tree-sitter.wasm') });
    return loaded;
  }

  async function load({ grammar, queries }: Language): Promise<Loaded> {
    library ??= start();
    const { Language: Grammar, Parser, Query } = await library;
    const [zipped, ...sources] = await Promise.all([
      readFile(join(assets, 'grammars', `tree-sitter-${grammar}.wasm.gz`)),
      readFile(join(assets, 'queries', queries, 'definitions.scm'), 'utf8'),
      readFile(join(assets, 'queries', queries, 'references.scm'), 'utf8'),
    ]);
    const language = await Grammar.load(await unzip(zipped));
    const parser = new Parser();
    parser.setLanguage(language);
    return { parser, query: new Query(language, sources.join('\n')) };
  }

  return {
    async parse(text, language) {
      const loading = languages.get(language.grammar) ?? load(language);
      languages.set(language.grammar, loading);
      const { parser, query } = await loading;
      const tree = parser.parse(text);
      if (!tree) return { definitions: [], references: [] };
      try {
        return sort(query.matches(tree.rootNode));
      } finally {
        // Its memory is not the collector's.
        tree.delete();
      }
    },
  };
}

function sort(matches: readonly treeSitter.QueryMatch[]): Parsed {
  const definitions: RawDefinition[] = [];
  const references: RawReference[] = [];
  for (const { captures } of matches) {
    let name: treeSitter.Node | undefined;
    let receiver: treeSitter.Node | undefined;
    let from: treeSitter.Node | undefined;
    let defined: treeSitter.QueryCapture | undefined;
    let reference: { kind: RawReference['kind']; node: treeSitter.Node } | undefined;
    for (const capture of captures) {
      if (capture.name === 'name') name = capture.node;
      else if (capture.name === 'receiver') receiver = capture.node;
      else if (capture.name === 'from') from = capture.node;
      else if (capture.name === 'call' || capture.name === 'import' || capture.name === 'inherit') {
        reference = { kind: capture.name, node: capture.node };
      } else if (DEFINED.has(capture.name)) defined = capture;
    }
    if (defined && name) {
      const { node } = defined;
      definitions.push({
        kind: defined.name,
        name: name.text,
        receiver: receiver?.text,
        start: node.startIndex,
        end: node.endIndex,
        startRow: node.startPosition.row,
        endRow: node.endPosition.row,
      });
    } else if (reference) {
      const { node, kind } = reference;
      references.push({
        kind,
        name: node.text,
        module: from?.text,
        at: node.startIndex,
        row: node.startPosition.row,
      });
    }
  }
  return { definitions, references };
}

const DEFINED = new Set(['function', 'method', 'class', 'interface', 'enum', 'type', 'module', 'scope']);
