/** The addresses of the rows in the side bar. */
import * as vscode from 'vscode';
import type { Verdict } from '../../protocol/requests';

/** The scheme of the rows of the side bar: nothing is opened by it, it carries what a row is decorated with. */
export const ROW_SCHEME = 'svc-memory-row';

export type Standing = 'open' | 'closed' | 'forgotten';

/** The same for the same state: the editor asks for a decoration once for each address. */
export function rowUri(nodeId: string, standing: Standing, verdict?: Verdict): vscode.Uri {
  return vscode.Uri.from({ scheme: ROW_SCHEME, path: `/${encodeURIComponent(nodeId)}`, query: verdict ?? standing });
}
