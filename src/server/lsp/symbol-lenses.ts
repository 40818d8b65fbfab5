/** The memories on the symbols of a document, kept for all features. */

import { LENS_ORDER } from '../../kinds/kinds';
import type { SymbolMemoriesArguments, Uri } from '../../protocol/requests';
import { isFileThere } from '../base/paths';
import { cut, oneLine } from '../base/text';
import { fileLenses } from '../code/lenses-of-file';
import { type FileLens, memoryCards } from '../memory/code/lenses';
import type { Mark } from '../memory/marks';
import type { Editor } from './editor';
import type { Folder } from './folder';

const KEPT_DOCUMENTS = 200;
const DECISIONS: ReadonlySet<string> = new Set(['decision']);
/** Of a decision beside its code: more is not read there. */
const MAX_DECISION = 70;

export interface DocumentLenses {
  readonly folder: Folder;
  readonly namespace: string;
  readonly symbols: readonly FileLens[];
}

interface Kept {
  readonly version: number | undefined;
  readonly namespace: string;
  readonly lenses: Promise<DocumentLenses | undefined>;
}

/**
 * The symbols of a document that have memories, as the text stands in the editor. Lenses, hovers and diagnostics of the
 * same text share one look.
 */
export class SymbolLenses {
  private readonly kept = new Map<Uri, Kept>();

  constructor(private readonly editor: Editor) {
    editor.onChanged((folder) => {
      for (const uri of this.kept.keys()) if (editor.folders.of(uri)?.folder === folder) this.kept.delete(uri);
    });
    editor.onSettings(() => this.kept.clear());
    editor.documents.onDidClose(({ document }) => this.kept.delete(document.uri));
  }

  /**
   * undefined for what lies in no folder, or in a folder without a store, and for a tab whose file is not there any more:
   * what was in it may be in another file by now, where it is judged.
   */
  of(uri: Uri): Promise<DocumentLenses | undefined> {
    const place = this.editor.folders.of(uri);
    if (!place) return Promise.resolve(undefined);
    if (!isFileThere(place.path)) {
      this.kept.delete(uri);
      return Promise.resolve(undefined);
    }
    const document = this.editor.documents.get(uri);
    const namespace = this.editor.settings().folder(place.folder.uri).namespace;
    const known = this.kept.get(uri);
    if (known && known.version === document?.version && known.namespace === namespace) return known.lenses;
    const lenses = this.look(place.folder, place.path, namespace, document?.getText());
    const kept = { version: document?.version, namespace, lenses };
    this.kept.delete(uri);
    const [oldest] = this.kept.keys();
    if (this.kept.size >= KEPT_DOCUMENTS && oldest !== undefined) this.kept.delete(oldest);
    this.kept.set(uri, kept);
    lenses.catch(() => {
      if (this.kept.get(uri) === kept) this.kept.delete(uri);
    });
    return lenses;
  }

  private async look(
    folder: Folder,
    path: string,
    namespace: string,
    text: string | undefined,
  ): Promise<DocumentLenses | undefined> {
    if (!folder.hasStore()) {
      folder.expectStore();
      return undefined;
    }
    const project = await folder.project(namespace, false);
    return { folder, namespace, symbols: await fileLenses(project, path, text) };
  }
}

/** The command that shows memories of a symbol. */
export const SHOW_SYMBOL_MEMORIES = 'agentMemory.showSymbolMemories';

export function symbolMemories(
  { folder }: DocumentLenses,
  file: Uri,
  { name, other_version_ids }: FileLens,
  nodeIds: readonly string[],
): SymbolMemoriesArguments {
  const ofOtherVersion = nodeIds.filter((id) => other_version_ids.includes(id));
  return {
    ...{ folder: folder.uri, file, symbol: name, nodeIds },
    ...(ofOtherVersion.length === 0 ? {} : { ofOtherVersion }),
  };
}

/** The memories of a symbol that are of these kinds, of all of them where it is not told; they come kind by kind. */
export function idsOfKinds({ node_ids, counts }: FileLens, kinds: ReadonlySet<string> | undefined): readonly string[] {
  if (!kinds) return node_ids;
  let start = 0;
  return LENS_ORDER.flatMap((kind) => {
    const own = node_ids.slice(start, start + (counts[kind] ?? 0));
    start += own.length;
    return kinds.has(kind) ? own : [];
  });
}

/** Those in doubt first, and what waits for a person last. */
export function inShownOrder({ doubtful_ids, proposed_ids }: FileLens, ids: readonly string[]): readonly string[] {
  const rank = (id: string): number => (doubtful_ids.includes(id) ? 0 : proposed_ids.includes(id) ? 2 : 1);
  return ids.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * How many memories a person is called for. Some line of a file changes each day, and seldom matters to what is known of the
 * whole.
 */
export function doubted({ code_type, verdict, doubtful_ids }: FileLens): number {
  return code_type === 'file' && verdict === 'changed' ? 0 : doubtful_ids.length;
}

/** It says where a memory stands. Of a folder that nobody accepted it is `foreign`, too. */
const isNoDoubt = (mark: Mark): boolean => mark === 'shared';

export interface ShownDecision {
  readonly id: string;
  readonly content: string;
}

/**
 * The newest decision of these symbols that no person has to look at first, as it is said beside code. Symbols without one
 * are left out, and what was decided for another branch's version of the code is not said of this one.
 */
export async function newestDecisions(
  { folder, namespace }: DocumentLenses,
  symbols: readonly FileLens[],
): Promise<ReadonlyMap<FileLens, ShownDecision>> {
  const decisions = symbols.map(
    (symbol) => [symbol, idsOfKinds(symbol, DECISIONS).filter((id) => !symbol.other_version_ids.includes(id))] as const,
  );
  const { memory } = await folder.project(namespace, false);
  const found = new Map<FileLens, ShownDecision>();
  const look = async (idsOf: (ids: readonly string[]) => readonly string[]): Promise<void> => {
    const left = decisions.filter(([symbol]) => !found.has(symbol));
    const asked = left.flatMap(([, ids]) => idsOf(ids));
    const cards = asked.length === 0 ? [] : await memoryCards(memory, asked);
    const shown = new Map(
      cards.flatMap(({ id, marks = [], content }) => (marks.every(isNoDoubt) ? [[id, content]] : [])),
    );
    for (const [symbol, ids] of left) {
      const id = idsOf(ids).find((one) => shown.has(one));
      if (id !== undefined) found.set(symbol, { id, content: cut(oneLine(shown.get(id) ?? ''), MAX_DECISION) });
    }
  };
  await look((ids) => ids.slice(0, 1));
  // The newest one seldom waits.
  await look((ids) => ids.slice(1));
  return found;
}
