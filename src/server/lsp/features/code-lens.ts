/** Lenses above symbols that have memories. */
import { basename } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type CodeLens, CodeLensRefreshRequest } from 'vscode-languageserver/node';
import type { Notifications, Uri } from '../../../protocol/requests';
import { escapeIcons } from '../../base/escape-icons';
import type { FileLens } from '../../memory/code/lenses';
import { type Editor, inBackground } from '../editor';
import { andProposed, countedMemories, countedProposals, decided, mayBeOutOfDate } from '../phrases';
import { rangeOf } from '../ranges';
import type { Settings } from '../settings';
import {
  doubted,
  inShownOrder,
  newestDecisions,
  SHOW_SYMBOL_MEMORIES,
  type ShownDecision,
  type SymbolLenses,
  symbolMemories,
} from '../symbol-lenses';
import { pathOf } from '../uris';

/**
 * `Decided: a body is one string · 10 more`, or `7 memories may be out of date`, above functions and classes. They come
 * with their words: what an editor has to ask for once more is on the screen half a second later.
 */
export function codeLens(editor: Editor, lenses: SymbolLenses): void {
  const { connection } = editor;
  connection.onCodeLens(async ({ textDocument: { uri } }): Promise<CodeLens[]> => {
    const settings = editor.settings();
    if (!settings.codeLens) return [];
    const found = await lenses.of(uri);
    if (!found) return [];
    const shown = goneAsOne(found.symbols, uri).filter((symbol) => isShown(symbol, settings));
    const decisions = await newestDecisions(
      found,
      shown.filter((symbol) => saysDecision(symbol, settings)),
    );
    return shown.map((symbol) => {
      const { node_ids, start_line } = symbol;
      const args = symbolMemories(found, uri, symbol, inShownOrder(symbol, node_ids));
      const command = {
        title: titleOf(symbol, decisions.get(symbol)),
        command: SHOW_SYMBOL_MEMORIES,
        arguments: [args],
      };
      return { range: rangeOf(start_line), command };
    });
  });

  const refresh = (): void => {
    if (editor.can.ownLenses) {
      inBackground(editor, connection.sendNotification('svc/lensesChanged' satisfies keyof Notifications));
    } else if (editor.can.refreshLenses) inBackground(editor, connection.sendRequest(CodeLensRefreshRequest.type));
  };
  editor.onChanged(refresh);
  editor.onSettings(refresh);
}

/** What is gone has no line of its own: what is remembered of it stands above the file, once. */
function goneAsOne(symbols: readonly FileLens[], uri: Uri): readonly FileLens[] {
  const gone = symbols.filter(({ verdict }) => verdict === 'gone');
  const [first] = gone;
  if (!first || gone.length === 1) return symbols;
  const all = (idsOf: (one: FileLens) => readonly string[]): string[] => [...new Set(gone.flatMap(idsOf))];
  const one: FileLens = {
    ...first,
    ...{ code_type: 'file', name: basename(pathOf(uri) ?? first.name) },
    node_ids: all(({ node_ids }) => node_ids),
    doubtful_ids: all(({ doubtful_ids }) => doubtful_ids),
    other_version_ids: all(({ other_version_ids }) => other_version_ids),
    proposed_ids: all(({ proposed_ids }) => proposed_ids),
    proposed_in_doubt: all(({ proposed_in_doubt }) => proposed_in_doubt),
  };
  return [one, ...symbols.filter(({ verdict }) => verdict !== 'gone')];
}

/** A doubt is always shown; else the kinds decide that people want to see above their code. */
function isShown(symbol: FileLens, { lensKinds }: Settings): boolean {
  const { counts } = symbol;
  return doubted(symbol) > 0 || !lensKinds || [...lensKinds].some((kind) => counts[kind] !== undefined);
}

function saysDecision(symbol: FileLens, { lensKinds }: Settings): boolean {
  return doubted(symbol) === 0 && (!lensKinds || lensKinds.has('decision'));
}

/** The newest decision; a number where there is none, or where a person has to look at it first. */
function titleOf(symbol: FileLens, decision: ShownDecision | undefined): string {
  const doubtful = doubted(symbol);
  const title = doubtful > 0 ? mayBeOutOfDate(doubtful) : known(symbol, decision);
  // It stands above the first line, where that of a class or function may stand, too.
  const words = symbol.code_type === 'file' ? l10n.t('File: {0}', title) : title;
  return `${doubtful > 0 ? '$(warning)' : '$(bookmark)'} ${words}`;
}

/** What is kept, then how many memories wait for a person. */
function known({ node_ids, proposed_ids }: FileLens, decision: ShownDecision | undefined): string {
  const waiting = proposed_ids.length;
  const kept = node_ids.length - waiting;
  if (kept === 0) return countedProposals(waiting);
  const said = decision ? decided(escapeIcons(decision.content), kept - 1) : countedMemories(kept);
  return waiting === 0 ? said : andProposed(said, waiting);
}
