import * as l10n from '@vscode/l10n';
import { type CodeLens, CodeLensRefreshRequest } from 'vscode-languageserver/node';
import type { MemoryKind, SymbolMemoriesArguments, Uri } from '../../../protocol/requests';
import { type FileLens, SHOWN_KINDS } from '../../project/file-lenses';
import { type Editor, inBackground } from '../editor';
import { rangeOf } from '../ranges';
import { idsOfKinds, type SymbolLenses } from '../symbol-lenses';
import { countedKind, staleNote } from '../words';

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
    if (!found || !symbol) return { ...lens, command: { title: l10n.t('no memories any more'), command: '' } };
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
  return SHOWN_KINDS.map((kind) => [kind, counts[kind] ?? 0] as const).filter(
    ([kind, count]) => count > 0 && (!lensKinds || lensKinds.has(kind)),
  );
}

function title(editor: Editor, symbol: FileLens): string {
  const parts = countsShown(editor, symbol).map(([kind, count]) => countedKind(kind, count));
  if (symbol.verdict !== 'unchanged') parts.push(staleNote(symbol.verdict));
  const said = parts.join(' · ');
  // It stands above the first line, where that of a class or function may stand, too.
  return symbol.code_type === 'file' ? l10n.t('File: {0}', said) : said;
}
