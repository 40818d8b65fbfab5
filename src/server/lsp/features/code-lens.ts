/** Lenses above symbols that have memories. */
import * as l10n from '@vscode/l10n';
import { type CodeLens, CodeLensRefreshRequest } from 'vscode-languageserver/node';
import type { Uri } from '../../../protocol/requests';
import { escapeIcons } from '../../base/escape-icons';
import type { FileLens } from '../../memory/code/lenses';
import { type Editor, inBackground } from '../editor';
import { countedMemories, decided, mayBeOutOfDate } from '../phrases';
import { rangeOf } from '../ranges';
import type { Settings } from '../settings';
import {
  type DocumentLenses,
  newestDecision,
  SHOW_SYMBOL_MEMORIES,
  type SymbolLenses,
  symbolMemories,
} from '../symbol-lenses';

/** What a lens carries until it is resolved. */
interface LensData {
  readonly uri: Uri;
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
}

/** `Decided: a body is one string · 10 more`, or `7 memories may be out of date`, above functions and classes. */
export function codeLens(editor: Editor, lenses: SymbolLenses): void {
  const { connection } = editor;
  connection.onCodeLens(async ({ textDocument: { uri } }): Promise<CodeLens[]> => {
    if (!editor.settings().codeLens) return [];
    const found = await lenses.of(uri);
    return (found?.symbols ?? [])
      .filter((symbol) => isShown(symbol, editor.settings()))
      .map(({ code_type, name, start_line }) => ({
        range: rangeOf(start_line),
        data: { uri, code_type, name, start_line } satisfies LensData,
      }));
  });

  connection.onCodeLensResolve(async (lens): Promise<CodeLens> => {
    // What the handler above put there; a client hands it back as it was.
    const data = lens.data as LensData;
    const found = await lenses.of(data.uri);
    const named = found?.symbols.filter((one) => one.name === data.name && one.code_type === data.code_type) ?? [];
    const symbol = named.find((one) => one.start_line === data.start_line) ?? named[0];
    if (!found || !symbol) return { ...lens, command: { title: l10n.t('no memories left'), command: '' } };
    const { doubtful_ids, node_ids } = symbol;
    const ids = [...doubtful_ids, ...node_ids.filter((id) => !doubtful_ids.includes(id))];
    const args = symbolMemories(found, data.uri, symbol, ids);
    const shown = await title(found, symbol, editor.settings());
    return { ...lens, command: { title: shown, command: SHOW_SYMBOL_MEMORIES, arguments: [args] } };
  });

  const refresh = (): void => {
    if (editor.can.refreshLenses) inBackground(editor, connection.sendRequest(CodeLensRefreshRequest.type));
  };
  editor.onChanged(refresh);
  editor.onSettings(refresh);
}

/** A doubt is always shown; else the kinds decide that people want to see above their code. */
function isShown(symbol: FileLens, { lensKinds }: Settings): boolean {
  const { counts } = symbol;
  return doubted(symbol) > 0 || !lensKinds || [...lensKinds].some((kind) => counts[kind] !== undefined);
}

/** Some line of a file changes each day, and seldom matters to what is known of the whole. */
function doubted({ code_type, verdict, doubtful_ids }: FileLens): number {
  return code_type === 'file' && verdict === 'changed' ? 0 : doubtful_ids.length;
}

async function title(found: DocumentLenses, symbol: FileLens, settings: Settings): Promise<string> {
  const doubtful = doubted(symbol);
  const said = doubtful > 0 ? mayBeOutOfDate(doubtful) : await inWords(found, symbol, settings);
  // It stands above the first line, where that of a class or function may stand, too.
  const words = symbol.code_type === 'file' ? l10n.t('File: {0}', said) : said;
  return `${doubtful > 0 ? '$(warning)' : '$(bookmark)'} ${words}`;
}

/** The newest decision; a number where there is none, or where a person has to look at it first. */
async function inWords(found: DocumentLenses, symbol: FileLens, { lensKinds }: Settings): Promise<string> {
  const all = symbol.node_ids.length;
  const decision = !lensKinds || lensKinds.has('decision') ? await newestDecision(found, symbol) : undefined;
  return decision === undefined ? countedMemories(all) : decided(escapeIcons(decision.content), all - 1);
}
