/** The server's own words for people, in the language of the editor. */
import * as l10n from '@vscode/l10n';
import type { MemoryKind } from '../../kinds/kinds';
import type { Doubtful } from '../../protocol/requests';
import { cut, oneLine } from '../base/text';
import type { Mark } from '../memory/marks';

const MAX_NAME = 120;

/** A symbol's or file's name inside a sentence of ours: names come from files, which anybody may have written. */
function shownName(name: string): string {
  return cut(oneLine(name), MAX_NAME);
}

/** What people call a kind. */
export function kindName(kind: MemoryKind): string {
  const names = {
    fact: l10n.t('Fact'),
    decision: l10n.t('Decision'),
    action: l10n.t('Action'),
    outcome: l10n.t('Outcome'),
    procedure: l10n.t('Procedure'),
    preference: l10n.t('Preference'),
  } satisfies Record<MemoryKind, string>;
  // A store that somebody else wrote may hold any.
  return Object.hasOwn(names, kind) ? names[kind] : l10n.t('Memory');
}

/** What has to be known of a memory before it is believed. */
export function markName(mark: Mark): string {
  return { foreign: l10n.t('foreign'), 'clock ahead': l10n.t('clock ahead') }[mark];
}

/** `1 decision`, `2 decisions` */
export function countedKind(kind: MemoryKind, count: number): string {
  const one = count === 1;
  const names = {
    fact: one ? l10n.t('1 fact') : l10n.t('{0} facts', count),
    decision: one ? l10n.t('1 decision') : l10n.t('{0} decisions', count),
    action: one ? l10n.t('1 action') : l10n.t('{0} actions', count),
    outcome: one ? l10n.t('1 outcome') : l10n.t('{0} outcomes', count),
    procedure: one ? l10n.t('1 procedure') : l10n.t('{0} procedures', count),
    preference: one ? l10n.t('1 preference') : l10n.t('{0} preferences', count),
  } satisfies Record<MemoryKind, string>;
  return names[kind];
}

/** What became of code that is not as it was. */

export function staleNote(verdict: Doubtful): string {
  return {
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
export function doubtSentence(symbol: NamedSymbol, verdict: Doubtful): string {
  const subject = shownSymbol(symbol);
  return {
    changed: l10n.t('{0} changed', subject),
    gone: l10n.t('{0} is gone', subject),
  }[verdict];
}

/**
 * In Markdown: `load was **changed** after this memory was stored.`
 * @param name escaped
 * @param memories about the symbol: of several, the text does not say for which it is true
 */
export function sinceRemembered(name: string, verdict: Doubtful, memories: number): string {
  const one = memories === 1;
  return {
    changed: one
      ? l10n.t('{0} was **changed** after this memory was stored.', name)
      : l10n.t('{0} was **changed** after some of these memories were stored.', name),
    gone: one
      ? l10n.t('{0} was **removed** after this memory was stored.', name)
      : l10n.t('{0} was **removed** after some of these memories were stored.', name),
  }[verdict];
}
