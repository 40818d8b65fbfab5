/** What is said once documents are ingested. */
import * as vscode from 'vscode';
import { counted } from '../../kinds';

/** Of `svc ingest --json` and `svc sync --json`. */
export interface Ingested {
  readonly documents: { readonly read: number; readonly unchanged: number };
  readonly sections: { readonly judged: number };
  readonly bindings: { readonly total: number };
  readonly failed: readonly { readonly document: string; readonly line: number; readonly problem: string }[];
  readonly withheld: readonly { readonly document: string; readonly line: number; readonly problem: string }[];
  readonly code?: { readonly indexed: number };
}

export function ingestedWords({ documents, sections, bindings, failed, withheld, code }: Ingested): string {
  return [
    // What people wait for stands first: the editor cuts long messages.
    readWords(sections.judged, documents.read),
    linkWords(bindings.total),
    ...some(failed.length, failedWords),
    ...some(withheld.length, withheldWords),
    ...some(documents.unchanged, unchangedWords),
    ...some(code?.indexed ?? 0, codeWords),
  ].join(' ');
}

function some(count: number, words: (count: number) => string): string[] {
  return count === 0 ? [] : [words(count)];
}

function readWords(sections: number, documents: number): string {
  if (documents === 0) return vscode.l10n.t('Nothing was new to read.');
  return sections === 0
    ? vscode.l10n.t('Read {0}.', counted.documents(documents))
    : vscode.l10n.t('Read {0} of {1}.', counted.sections(sections), counted.documents(documents));
}

/** Of all documents, also of those that nobody asked for now. */
function linkWords(count: number): string {
  if (count === 0) return vscode.l10n.t('No document has a link to code.');
  return count === 1
    ? vscode.l10n.t('There is 1 link to code now.')
    : vscode.l10n.t('There are {0} links to code now.', count);
}

function failedWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 section got no answer; the next run asks again.')
    : vscode.l10n.t('{0} sections got no answer; the next run asks again.', count);
}

function withheldWords(count: number): string {
  return count === 1
    ? vscode.l10n.t('1 section was not sent, because it holds a secret.')
    : vscode.l10n.t('{0} sections were not sent, because they hold secrets.', count);
}

function unchangedWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 document is unchanged.') : vscode.l10n.t('{0} documents are unchanged.', count);
}

function codeWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 code file has changed.') : vscode.l10n.t('{0} code files have changed.', count);
}
