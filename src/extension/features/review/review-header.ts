/** What stands above the code of a memory, then and now. */
import * as vscode from 'vscode';
import type { ComparedSymbol, Comparison } from '../../../protocol/tool-values';
import { kindName, markNames, shownDay } from '../../kinds';
import { plainLine } from '../../stored-text';
import { TOGETHER, wrapped } from '../wrapped';

export interface Header {
  /** Each ends without a line break. */
  readonly lines: readonly string[];
  /** Those of the memory's own words, from 0. */
  readonly words: { readonly from: number; readonly to: number };
}

/** Where a person is in what waits; undefined where nothing is to be decided. */
export interface Progress {
  readonly position: number;
  readonly count: number;
  /** Somewhere else, since its page came. */
  readonly settled?: boolean;
}

/** Half of a window beside the side bar shows about as much. */
const WIDTH = 42;
const MAX_TEXT = 1_000;

/** The memory, why it is shown and what can be done, as a comment of the language that stands below. */
export function reviewHeader(
  { node, symbols }: Comparison,
  symbol: ComparedSymbol | undefined,
  progress: Progress | undefined,
): Header {
  const words = wrapped(plainLine(node.content, MAX_TEXT), WIDTH);
  const because = [
    ...(node.rationale === null ? [] : [vscode.l10n.t('Because: {0}', plainLine(node.rationale, MAX_TEXT))]),
    ...(node.alternatives_rejected.length === 0
      ? []
      : [vscode.l10n.t('Rejected: {0}', plainLine(node.alternatives_rejected.join('; '), MAX_TEXT))]),
  ];
  const head = [
    ...(progress ? [vscode.l10n.t('{0} of {1}', progress.position, progress.count)] : []),
    ...[kindName(node.kind), ...markNames(node), shownDay(node.valid_from)],
  ].join(' · ');
  const lines = [
    head,
    ...words,
    ...because.flatMap((text) => wrapped(text, WIDTH)),
    '',
    ...wrapped(progress?.settled ? settled() : question(symbol), WIDTH),
    ...(symbols.length > 1 && symbol
      ? [vscode.l10n.t('Place {0} of {1}. P: the next one', symbols.indexOf(symbol) + 1, symbols.length)]
      : []),
    ...(progress ? wrapped(keys(), WIDTH).map((line) => line.replace(/\s·$/, '')) : []),
  ];
  const comment = commentOf(symbol?.now?.file_path ?? symbol?.was.file_path ?? '');
  return { lines: [...lines.map(comment), ''], words: { from: 1, to: words.length } };
}

function settled(): string {
  return vscode.l10n.t('This memory no longer waits: it was settled somewhere else, or is no longer in doubt here.');
}

/** What happened to the code, and what is asked. */
function question(symbol: ComparedSymbol | undefined): string {
  if (!symbol) return vscode.l10n.t('This memory is not linked to code.');
  if (symbol.text_then !== null) return happenedTo(symbol);
  return `${happenedTo(symbol)} ${vscode.l10n.t('What it was then is not known: it was never committed, or this clone lacks the commit.')}`;
}

function happenedTo(symbol: ComparedSymbol): string {
  const { verdict, was, now } = symbol;
  const name = nameOf(symbol);
  const place = now ? `${plainLine(now.file_path)}:${now.start_line}` : plainLine(was.file_path);
  if (verdict === 'gone') return vscode.l10n.t('{0} is gone from {1}. Does this still hold?', name, place);
  if (verdict === 'changed') {
    return was.code_type === 'file'
      ? vscode.l10n.t('{0} has changed since. Does this still hold?', plainLine((now ?? was).file_path))
      : vscode.l10n.t('{0} in {1} has changed since. Does this still hold?', name, place);
  }
  // Such a memory is shown where a branch is compared with its base.
  if (verdict === 'other version') {
    if (now === null) return vscode.l10n.t('{0} is not in {1} on this branch. Does this still hold?', name, place);
    return was.code_type === 'file'
      ? vscode.l10n.t('{0} is another version on this branch. Does this still hold?', plainLine(now.file_path))
      : vscode.l10n.t('{0} in {1} is another version on this branch. Does this still hold?', name, place);
  }
  return now === null
    ? vscode.l10n.t('{0} is gone from {1}. This memory was confirmed since.', name, place)
    : vscode.l10n.t('{0} in {1} is as it was.', name, place);
}

/** What it is called now, and what it was called where that is another name. */
function nameOf({ was, now }: ComparedSymbol): string {
  if (!now || now.name === was.name) return plainLine(was.name);
  return vscode.l10n.t('{0} (before: {1})', plainLine(now.name), plainLine(was.name));
}

function keys(): string {
  return (
    [
      vscode.l10n.t('Y still true'),
      vscode.l10n.t('N no longer true'),
      vscode.l10n.t('R rewrite'),
      vscode.l10n.t('I ignore this change'),
      vscode.l10n.t('S later'),
      vscode.l10n.t('U undo'),
      vscode.l10n.t('O open the code'),
    ]
      .map((key) => key.replaceAll(' ', TOGETHER))
      // No line begins with a dot.
      .join(`${TOGETHER}· `)
  );
}

/** Above the code as it was; the words of the memory stand on the other side. */
export function thenLabel({ commit, text_then }: ComparedSymbol): string {
  if (text_then === null) return vscode.l10n.t('Then: not known');
  return commit === null
    ? vscode.l10n.t('Then: as it was last seen to fit')
    : vscode.l10n.t('Then: as in commit {0}', commit.slice(0, SHORT_COMMIT));
}

const SHORT_COMMIT = 8;

const HASH = /\.(py|pyi|rb|sh|bash|zsh|ps1|psm1|ya?ml|toml|r|pl)$|(^|\/)[^./]+$/i;
const DASHES = /\.(sql|lua|hs)$/i;
const TEXT = /\.(md|markdown|txt)$/i;

/** As a comment, so that what it says does not change the colours of the code below. */
export function commentOf(path: string): (line: string) => string {
  if (TEXT.test(path)) return (line) => `> ${line}`.trimEnd();
  const sign = HASH.test(path) ? '#' : DASHES.test(path) ? '--' : '//';
  // Nothing that ends a comment may stand in it, in no language.
  return (line) => `${sign} ${line}`.trimEnd();
}
