/** Lenses above symbols that have memories. */
import * as l10n from '@vscode/l10n';
import { type CodeLens, CodeLensRefreshRequest } from 'vscode-languageserver/node';
import { LENS_ORDER, type MemoryKind } from '../../../kinds/kinds';
import type { SymbolMemoriesArguments, Uri } from '../../../protocol/requests';
import type { FileLens } from '../../memory/code/lenses';
import { isDoubtful } from '../../memory/code/touches';
import { type Editor, inBackground } from '../editor';
import { countedKind, staleNote } from '../phrases';
import { rangeOf } from '../ranges';
import { idsOfKinds, type SymbolLenses } from '../symbol-lenses';

const SHOW_SYMBOL_MEMORIES = 'agentMemory.showSymbolMemories';

/** What a lens carries until it is resolved. */
interface LensData {
  readonly uri: Uri;
  readonly code_type: string;
  readonly name: string;
  readonly start_line: number;
}

/** `2 decisions · 1 fact · stale (changed)` above functions and classes that have memories. */
export function codeLens(editor: Editor, lenses: SymbolLenses): void {
  const { connection } = editor;
  connection.onCodeLens(async ({ textDocument: { uri } }): Promise<CodeLens[]> => {
    if (!editor.settings().codeLens) return [];
    const found = await lenses.of(uri);
    return (found?.symbols ?? [])
      .filter((symbol) => countsShown(editor, symbol).length > 0)
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
    const args: SymbolMemoriesArguments = {
      folder: found.folder.uri,
      file: data.uri,
      symbol: symbol.name,
      nodeIds: [...idsOfKinds(symbol, editor.settings().lensKinds)],
    };
    return { ...lens, command: { title: title(editor, symbol), command: SHOW_SYMBOL_MEMORIES, arguments: [args] } };
  });

  const refresh = (): void => {
    if (editor.can.refreshLenses) inBackground(editor, connection.sendRequest(CodeLensRefreshRequest.type));
  };
  editor.onChanged(refresh);
  editor.onSettings(refresh);
}

function countsShown(editor: Editor, { counts }: FileLens): (readonly [MemoryKind, number])[] {
  const { lensKinds } = editor.settings();
  return LENS_ORDER.map((kind) => [kind, counts[kind] ?? 0] as const).filter(
    ([kind, count]) => count > 0 && (!lensKinds || lensKinds.has(kind)),
  );
}

function title(editor: Editor, symbol: FileLens): string {
  const parts = countsShown(editor, symbol).map(([kind, count]) => countedKind(kind, count));
  if (isDoubtful(symbol.verdict)) parts.push(staleNote(symbol.verdict));
  const said = parts.join(' · ');
  // It stands above the first line, where that of a class or function may stand, too.
  return symbol.code_type === 'file' ? l10n.t('File: {0}', said) : said;
}
