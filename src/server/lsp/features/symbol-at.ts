/** Names the symbol at a line of an open document. */
import type { SymbolsOfTexts } from '../../code/symbol-at';
import { type Editor, onRequest } from '../editor';

/**
 * `svc/symbolAt`: as memories on code call it, from the text as it stands in the editor. It needs neither a store nor a
 * code graph, so the first memory of a project is on its function.
 */
export function nameSymbols(editor: Editor, symbols: SymbolsOfTexts): void {
  onRequest(editor, 'svc/symbolAt', async ({ file, line }) => {
    const path = editor.folders.of(file)?.path;
    const text = editor.documents.get(file)?.getText();
    if (path === undefined || text === undefined) return { read: false };
    const symbol = await symbols.at(path, text, line);
    return symbol === undefined ? { read: false } : { read: true, symbol };
  });
}
