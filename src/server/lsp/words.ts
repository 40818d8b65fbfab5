import * as l10n from '@vscode/l10n';
import type { MemoryKind, Verdict } from '../../protocol/requests';
import { cut, oneLine } from '../base/text';

const MAX_NAME = 120;

/** A symbol's or file's name inside a sentence of ours: names come from files, which anybody may have written. */
function shownName(name: string): string {
  return cut(oneLine(name), MAX_NAME);
}

/** What people call a kind. */
export function kindName(kind: MemoryKind): string {
  return {
    fact: l10n.t('Fact'),
    decision: l10n.t('Decision'),
    action: l10n.t('Action'),
    outcome: l10n.t('Outcome'),
    procedure: l10n.t('Procedure'),
    preference: l10n.t('Preference'),
  }[kind];
}

/** `1 decision`, `2 decisions` */
export function countedKind(kind: MemoryKind, count: number): string {
  const one = count === 1;
  return {
    fact: one ? l10n.t('1 fact') : l10n.t('{0} facts', count),
    decision: one ? l10n.t('1 decision') : l10n.t('{0} decisions', count),
    action: one ? l10n.t('1 action') : l10n.t('{0} actions', count),
    outcome: one ? l10n.t('1 outcome') : l10n.t('{0} outcomes', count),
    procedure: one ? l10n.t('1 procedure') : l10n.t('{0} procedures', count),
    preference: one ? l10n.t('1 preference') : l10n.t('{0} preferences', count),
  }[kind];
}

/** What became of code that is not as it was. */
type Doubt = Exclude<Verdict, 'unchanged'>;

export function staleNote(verdict: Doubt): string {
  return {
    moved: l10n.t('stale (moved)'),
    changed: l10n.t('stale (changed)'),
    gone: l10n.t('stale (gone)'),
  }[verdict];
}

interface NamedSymbol {
  readonly code_type: string;
  readonly name: string;
}

/** `function load` */
function shownSymbol({ code_type, name }: NamedSymbol): string {
  const shown = shownName(name);
  switch (code_type) {
    case 'function':
      return l10n.t('function {0}', shown);
    case 'method':
      return l10n.t('method {0}', shown);
    case 'class':
      return l10n.t('class {0}', shown);
    case 'interface':
      return l10n.t('interface {0}', shown);
    case 'enum':
      return l10n.t('enum {0}', shown);
    case 'type':
      return l10n.t('type {0}', shown);
    case 'module':
      return l10n.t('module {0}', shown);
    case 'file':
      return l10n.t('file {0}', shown);
    default:
      return `${shownName(code_type)} ${shown}`;
  }
}

/** `function load changed` */
export function doubtSentence(symbol: NamedSymbol, verdict: Doubt): string {
  const subject = shownSymbol(symbol);
  return {
    moved: l10n.t('{0} moved', subject),
    changed: l10n.t('{0} changed', subject),
    gone: l10n.t('{0} is gone', subject),
  }[verdict];
}

/**
 * In Markdown: `load **changed** since this was remembered.`
 * @param name escaped
 * @param memories about the symbol: it is not told of which of several it is true
 */
export function sinceRemembered(name: string, verdict: Doubt, memories: number): string {
  const one = memories === 1;
  return {
    moved: one
      ? l10n.t('{0} **moved** since this was remembered.', name)
      : l10n.t('{0} **moved** since some of this was remembered.', name),
    changed: one
      ? l10n.t('{0} **changed** since this was remembered.', name)
      : l10n.t('{0} **changed** since some of this was remembered.', name),
    gone: one
      ? l10n.t('{0} has **gone** since this was remembered.', name)
      : l10n.t('{0} has **gone** since some of this was remembered.', name),
  }[verdict];
}

interface Change extends NamedSymbol {
  readonly verdict: Doubt;
  readonly file_path: string;
  readonly now: { readonly file_path: string; readonly name: string } | undefined;
}

/** `function load changed`, `file a.ts moved to src/a.ts` */
export function changeSentence(change: Change): string {
  const { verdict, name, file_path, now } = change;
  if (verdict !== 'moved' || !now) return doubtSentence(change, verdict);
  const [subject, path, newName] = [shownSymbol(change), shownName(now.file_path), shownName(now.name)];
  const elsewhere = now.file_path !== file_path;
  if (now.name === name) {
    return elsewhere ? l10n.t('{0} moved to {1}', subject, path) : doubtSentence(change, verdict);
  }
  return elsewhere
    ? l10n.t('{0} moved to {1} and is called {2} now', subject, path, newName)
    : l10n.t('{0} is called {1} now', subject, newName);
}
