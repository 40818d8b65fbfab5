/** The name of whoever holds a session. */
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import type { HeldSession } from '../../protocol/tool-values';
import { MAX_WORD_LENGTH, plainLine } from '../stored-text';

/** Who opened a session: what the program calls itself, and where it runs. */
export function holderName({ client, pid, host }: NonNullable<HeldSession['holder']>): string {
  const name = plainLine(client, MAX_WORD_LENGTH);
  return host === hostname()
    ? vscode.l10n.t('{0} (process {1})', name, pid)
    : vscode.l10n.t('{0} on {1}', name, plainLine(host, MAX_WORD_LENGTH));
}
