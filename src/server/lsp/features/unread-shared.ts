/** Diagnostics on files of shared memories that cannot be read. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import type { UnreadFile, Uri } from '../../../protocol/requests';
import { type Editor, inBackground } from '../editor';
import { uriOf } from '../uris';
import { DIAGNOSTIC_SOURCE } from './diagnostics';

/** As many as a person looks at. */
const MOST_FILES = 20;
/** Longer than any line. */
const LINE_END = 10_000;

/** @returns what tells of the files below a root, each time that its state is asked for, and hands them on */
export function unreadShared(
  editor: Editor,
): (root: string | undefined, unread: readonly UnreadFile[]) => readonly UnreadFile[] {
  const told = new Map<string, ReadonlySet<Uri>>();
  return (root, unread) => {
    if (root === undefined) return [];
    const files = unread.slice(0, MOST_FILES);
    const now = new Set<Uri>();
    for (const { path, line, reason } of files) {
      const uri = uriOf(join(root, path));
      now.add(uri);
      const range = { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: LINE_END } };
      const message = l10n.t('Nothing is known from this file: {0}.', reason);
      const diagnostics = [{ range, severity: DiagnosticSeverity.Warning, source: DIAGNOSTIC_SOURCE, message }];
      inBackground(editor, editor.connection.sendDiagnostics({ uri, diagnostics }));
    }
    for (const uri of told.get(root) ?? []) {
      if (!now.has(uri)) inBackground(editor, editor.connection.sendDiagnostics({ uri, diagnostics: [] }));
    }
    told.set(root, now);
    return files;
  };
}
