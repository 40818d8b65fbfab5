/** The server's own words for people, in the language of the editor. */
import * as l10n from '@vscode/l10n';
import type { MemoryKind } from '../../kinds/kinds';
import type { Doubtful } from '../../protocol/requests';
import { cut, oneLine } from '../base/text';
import type { Mark } from '../memory/marks';
import type { Origin, Standing } from '../memory/origins';

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
  return {
    foreign: l10n.t('foreign'),
    shared: l10n.t('shared'),
    team: l10n.t('team'),
    proposed: l10n.t('proposed'),
    'code changed': l10n.t('code changed'),
    'code gone': l10n.t('code gone'),
    'code of another branch': l10n.t('code of another branch'),
    'clock ahead': l10n.t('clock ahead'),
    older: l10n.t('older'),
  }[mark];
}

/** Where a memory comes from. @param name of the origin, as it may be shown */
export function originName(origin: Origin | null, name: string): string {
  if (!origin) return l10n.t('an unknown source');
  const names = {
    agent: name === '' ? l10n.t('an agent') : l10n.t('the agent {0}', name),
    person: name === '' ? l10n.t('a person') : l10n.t('a person ({0})', name),
    import: name,
    document: l10n.t('the document {0}', name),
  } satisfies Record<Origin['kind'], string>;
  return origin.marked ? l10n.t('{0} after foreign text', names[origin.kind]) : names[origin.kind];
}

/** How a memory stands. */
export function standingName(standing: Standing): string {
  const names = {
    stored: l10n.t('stored'),
    confirmed: l10n.t('confirmed by a person'),
    proposed: l10n.t('proposed'),
  } satisfies Record<Standing, string>;
  // A store that somebody else wrote may hold any.
  return Object.hasOwn(names, standing) ? names[standing] : names.proposed;
}

/** `1 memory`, `2 memories` */
export function countedMemories(count: number): string {
  return count === 1 ? l10n.t('1 memory') : l10n.t('{0} memories', count);
}

/** @param content as it may be shown @param more memories than this one */
export function decided(content: string, more: number): string {
  return more === 0 ? l10n.t('Decided: {0}', content) : l10n.t('Decided: {0} · {1} more', content, more);
}

/** Of nothing but memories that wait for a person. */
export function countedProposals(count: number): string {
  return count === 1 ? l10n.t('1 proposed memory') : l10n.t('{0} proposed memories', count);
}

/** @param said of those that are kept */
export function andProposed(said: string, count: number): string {
  return l10n.t('{0} · {1} proposed', said, count);
}

/** Of a decision whose code is not what it was decided for. */
export function decidedInDoubt(content: string): string {
  return l10n.t('May be out of date: {0}', content);
}

/** How many memories are in doubt. */
export function mayBeOutOfDate(count: number): string {
  return count === 1 ? l10n.t('1 memory may be out of date') : l10n.t('{0} memories may be out of date', count);
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
    case 'constant':
      return l10n.t('constant {0}', shown);
    case 'variable':
      return l10n.t('variable {0}', shown);
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

/** In Markdown: `load was **changed** after this memory was stored.` @param name escaped */
export function sinceRemembered(name: string, verdict: Doubtful): string {
  return {
    changed: l10n.t('{0} was **changed** after this memory was stored.', name),
    gone: l10n.t('{0} was **removed** after this memory was stored.', name),
  }[verdict];
}
