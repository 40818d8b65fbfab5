/** Parses sources with tree-sitter. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import type * as treeSitter from '@vscode/tree-sitter-wasm';
import type { RawDecoration } from './decorations';
import { FAMILIES } from './families';
import { foundWithoutHalfTyped } from './found-half-typed';
import type { Language } from './language';
import { mend } from './mend';
import { LeftOut, type ParseFailure, type ParseLimit } from './parse-limit';
import {
  ALL,
  CODE_TYPES,
  DEFAULT,
  isValueKind,
  type Parsed,
  type RawBlock,
  type RawDefinition,
  type RawImporting,
  type RawLocal,
  type RawReference,
} from './parsed';
import { querySource } from './query-source';
import { signatureOf } from './signature';
import { type RawText, TEXT_KINDS, type TextKind } from './stretches';

/** The only import of tree-sitter. */

export interface SourceParser {
  /**
   * Never fails on wrong syntax: what can be read of the text is found.
   * @param symbolsAlone no references and no signatures, which take half of the time
   * @throws LeftOut when the limit is over, or the parser breaks down: then this one parses nothing any more
   */
  parse(text: string, language: Language, limit: ParseLimit, symbolsAlone?: boolean): Promise<Parsed>;
  /** How much memory it takes for sources, in bytes; it never gives any back. */
  memory(): number;
  /** How many grammars it has loaded. Each takes some ten megabytes more, and gives none back either. */
  grammars(): number;
}

interface Loaded {
  readonly parser: treeSitter.Parser;
  /** Made when it is first asked for: that takes a tenth of a second. */
  readonly query: (of: Parameters<typeof querySource>[2]) => treeSitter.Query;
}

const unpack = promisify(brotliDecompress);
/** Of 64 KB: what tree-sitter begins with. */
const FIRST_PAGES = 512;
/** Between two questions whether the limit is over, memory may grow fast: beyond this the parser breaks down. */
const MOST_PAGES = 8 * FIRST_PAGES;

/** @param assets the folder with `grammars/` and `queries/`: that of the built programs */
export function openParser(assets: string): SourceParser {
  let library: Promise<typeof treeSitter> | undefined;
  const languages = new Map<string, Promise<Loaded>>();
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES });

  async function start(): Promise<typeof treeSitter> {
    // Loaded by the first parse: it and a grammar cost tens of milliseconds.
    const module: typeof treeSitter & { readonly default?: typeof treeSitter } = await import(
      '@vscode/tree-sitter-wasm'
    );
    // Node cannot tell what this script of CommonJS exports, and hands it over whole.
    const loaded = module.default ?? module;
    const options = {
      wasmMemory,
      // What it is called does not matter: here it is.
      locateFile: (file: string) => file,
      wasmBinary: await unpack(await readFile(join(assets, 'grammars', 'tree-sitter.wasm.br'))),
      // What it says when it breaks down is reported where the source is left out.
      printErr: () => {},
    };
    await loaded.Parser.init(options);
    return loaded;
  }

  async function load({ grammar, queries }: Language): Promise<Loaded> {
    library ??= start();
    const { Language: Grammar, Parser, Query } = await library;
    const folder = join(assets, 'queries');
    const [packed, source, symbols, head] = await Promise.all([
      readFile(join(assets, 'grammars', `tree-sitter-${grammar}.wasm.br`)),
      ...(['source', 'symbols', 'head'] as const).map((of) => querySource(folder, queries, of)),
    ] as const);
    const sources = { source, symbols, head };
    const made: { [of in keyof typeof sources]?: treeSitter.Query } = {};
    const language = await Grammar.load(await unpack(packed));
    const parser = new Parser();
    parser.setLanguage(language);
    return { parser, query: (of) => (made[of] ??= new Query(language, sources[of] ?? '')) };
  }

  return {
    memory: () => wasmMemory.buffer.byteLength,
    grammars: () => languages.size,
    async parse(text, language, limit, symbolsAlone = false) {
      const loading = languages.get(language.grammar) ?? load(language);
      languages.set(language.grammar, loading);
      const loaded = await loading;
      // What has to be made first is not the fault of the source.
      const query = loaded.query(symbolsAlone ? 'symbols' : 'source');
      const signatures = symbolsAlone ? undefined : loaded.query('head');
      limit.begin(wasmMemory);
      try {
        return takeApart({ parser: loaded.parser, query, signatures }, text, language, limit);
      } catch (error) {
        throw isBreakdown(error) ? new LeftOut(limit.over() ?? 'cannot be parsed') : error;
      }
    },
  };
}

/** Of WebAssembly, which may stand anywhere then: it was out of memory, or of stack. */
function isBreakdown(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

interface Asked {
  readonly parser: treeSitter.Parser;
  readonly query: treeSitter.Query;
  readonly signatures: treeSitter.Query | undefined;
}

function takeApart({ parser, query, signatures }: Asked, text: string, language: Language, limit: ParseLimit): Parsed {
  let over: ParseFailure | undefined;
  const progressCallback = (): boolean => {
    over ??= limit.over();
    return over !== undefined;
  };
  const parse = (source: string): treeSitter.Tree => {
    const tree = parser.parse(source, null, { progressCallback });
    if (tree) return tree;
    // Else it would go on there with the next source.
    parser.reset();
    throw new LeftOut(over ?? 'cannot be parsed');
  };
  const found = (tree: treeSitter.Tree, source: string): Parsed => {
    const matches = query.matches(tree.rootNode, { progressCallback });
    if (over) throw new LeftOut(over);
    return sort(matches, source, { signatures, namePrefix: language.namePrefix }, limit);
  };
  const tree = parse(mend(text, language));
  try {
    const plain = found(tree, text);
    if (!tree.rootNode.hasError || !isMeantByIndentation(language)) return plain;
    try {
      // Tries have as much time for themselves, so that no source is left out for them.
      limit.begin();
      return foundWithoutHalfTyped(plain, { text, language, parse, found });
    } finally {
      limit.begin();
    }
  } finally {
    // Its memory is not the collector's.
    tree.delete();
  }
}

/** Whether code is indented in all that people write in the language, and a stray end of a block is no code. */
function isMeantByIndentation({ family }: Language): boolean {
  // By its name: a thread has a copy of the language.
  return family.name === FAMILIES.script.name || family.name === FAMILIES.python.name;
}

const DEFINED = new Set<string>([...CODE_TYPES, 'scope']);
/** Captures of definitions whose names the source has only in parts, and what they are called. */
const SPECIAL: ReadonlyMap<string, (part: string) => string> = new Map<string, (part: string) => string>([
  ['operator_of', (part) => `operator ${part}`],
  ['destructor_of', (part) => `~${part}`],
  ['indexer', () => 'this[]'],
  ['anonymous', (part) => `${part}$`],
  ['unnamed', () => DEFAULT],
]);
const VARIABLES = new Set(['local', 'parameter', 'field']);
/** Captures of an import that has no name of its own: all of a module. */
const WHOLE = new Set(['all', 'package', 'namespace']);
const REFERRING: ReadonlyMap<string, RawReference['kind']> = new Map([
  ...(['call', 'import', 'inherit', 'export', 'namespace'] as const).map((kind) => [kind, kind] as const),
  ...([
    ['all', 'import'],
    ['package', 'import'],
    ['import_default', 'import'],
    ['export_default', 'export'],
  ] as const),
]);

function sort(
  matches: readonly treeSitter.QueryMatch[],
  source: string,
  { signatures, namePrefix }: Pick<Asked, 'signatures'> & Pick<Language, 'namePrefix'>,
  limit: ParseLimit,
): Parsed {
  const definitions: RawDefinition[] = [];
  const references: RawReference[] = [];
  const importing: RawImporting[] = [];
  const locals: RawLocal[] = [];
  const blocks: RawBlock[] = [];
  const decorations: RawDecoration[] = [];
  const texts: RawText[] = [];
  const text = (node: treeSitter.Node | undefined): string | undefined =>
    node && source.slice(node.startIndex, node.endIndex);
  const bare = (node: treeSitter.Node): string => {
    const name = text(node) ?? '';
    return namePrefix ? name.replace(namePrefix, '') : name;
  };
  /** Of a value there is nothing before it but its name. */
  const headOf = ({ name, node }: treeSitter.QueryCapture, called: string): string => {
    if (name === 'scope' || !signatures) return '';
    return isValueKind(name) ? called : signatureOf(node, source, signatures);
  };
  for (const { captures } of matches) {
    limit.check();
    // Hundreds of thousands of matches: no collections for each of them.
    const first = captures[0];
    if (first?.name === 'block') {
      blocks.push({ start: first.node.startIndex, end: first.node.endIndex });
      continue;
    }
    if (first && isTextKind(first.name)) {
      for (const { name, node } of captures) {
        if (isTextKind(name)) texts.push({ kind: name, start: node.startIndex, end: node.endIndex });
      }
      continue;
    }
    if (first?.name === 'decoration') {
      const { startIndex: start, endIndex: end, startPosition } = first.node;
      decorations.push({ start, end, startRow: startPosition.row });
      continue;
    }
    let local: treeSitter.QueryCapture | undefined;
    let type: treeSitter.Node | undefined;
    let defined: treeSitter.QueryCapture | undefined;
    let referring: treeSitter.QueryCapture | undefined;
    let name: treeSitter.Node | undefined;
    let from: treeSitter.Node | undefined;
    let statement: treeSitter.Node | undefined;
    let receiver: treeSitter.Node | undefined;
    let special: string | undefined;
    let on: treeSitter.Node | undefined;
    let as: treeSitter.Node | undefined;
    for (const capture of captures) {
      if (VARIABLES.has(capture.name)) local = capture;
      else if (capture.name === 'type_of') type = capture.node;
      else if (capture.name === 'name') name = capture.node;
      else if (capture.name === 'on') on = capture.node;
      else if (capture.name === 'as') as = capture.node;
      else if (capture.name === 'from') from = capture.node;
      else if (capture.name === 'importing') statement = capture.node;
      else if (capture.name === 'receiver') receiver = capture.node;
      else if (DEFINED.has(capture.name)) defined = capture;
      else if (REFERRING.has(capture.name)) referring = capture;
      else special = SPECIAL.get(capture.name)?.(text(capture.node) ?? '') ?? special;
    }
    if (local) {
      locals.push({
        name: text(local.node) ?? '',
        at: local.node.startIndex,
        from: first?.name === 'after' ? first.node.endIndex : undefined,
        parameter: local.name === 'parameter',
        field: local.name === 'field',
        type: text(type),
      });
      continue;
    }
    const module = text(from);
    const called = name ? bare(name) : special;
    if (defined && called !== undefined) {
      const { node } = defined;
      definitions.push({
        kind: defined.name,
        name: called,
        receiver: text(receiver),
        unnamed: special === DEFAULT || isValueKind(defined.name),
        signature: headOf(defined, called),
        start: node.startIndex,
        end: node.endIndex,
        startRow: node.startPosition.row,
        // A line of the preprocessor has the line break, too.
        endRow: Math.max(node.startPosition.row, node.endPosition.row - (node.endPosition.column === 0 ? 1 : 0)),
      });
    } else if (referring) {
      const { node } = referring;
      references.push({
        kind: REFERRING.get(referring.name) ?? 'call',
        name: WHOLE.has(referring.name) ? ALL : referring.name === 'import_default' ? DEFAULT : bare(node),
        module,
        on: text(on),
        as: text(as) ?? impliedName(referring.name, module ?? ''),
        at: node.startIndex,
        row: node.startPosition.row,
      });
    } else if (statement && module !== undefined) {
      importing.push({ start: statement.startIndex, end: statement.endIndex, module });
    }
  }
  return { definitions, references, importing, locals, blocks, decorations, texts, read: source };
}

function isTextKind(capture: string): capture is TextKind {
  return TEXT_KINDS.has(capture);
}

function impliedName(capture: string, module: string): string | undefined {
  if (capture === 'export_default') return DEFAULT;
  return capture === 'package' ? packageName(module) : undefined;
}

/** `example.com/acme/store/v2` is used as `store`. */
function packageName(module: string): string {
  const parts = module.split('/');
  const last = parts.at(-1) ?? '';
  return parts.length > 1 && /^v\d+$/.test(last) ? (parts.at(-2) ?? '') : last;
}
