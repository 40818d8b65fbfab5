/** Fills the texts of the explorer with values. */
import type { ExplorerTexts, ShownFolder, Verdict } from '../protocol/explorer';
import type { Origin, Reason } from '../protocol/tool-values';

/** Puts values for `{0}`, `{1}` … */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, place: string) => String(values[Number(place)] ?? whole));
}

/** Whether something became of the code. */
export function isDoubtful(verdict: Verdict): boolean {
  return verdict === 'changed' || verdict === 'gone';
}

export function verdictName(texts: ExplorerTexts, verdict: Verdict): string {
  return {
    unchanged: texts.codeUnchanged,
    'not judged': texts.codeNotJudged,
    moved: texts.codeMoved,
    'other version': texts.codeOtherVersion,
    changed: texts.codeChanged,
    gone: texts.codeGone,
  }[verdict];
}

/** A mark that agents see on a memory, in the words of the reader; one that is not known here, as it is. */
export function markName(texts: ExplorerTexts, mark: string): string {
  const names: Readonly<Record<string, string>> = {
    foreign: texts.foreign,
    shared: texts.shared,
    team: texts.team,
    proposed: texts.proposed,
    'code changed': texts.codeChanged,
    'code gone': texts.codeGone,
    'code of another branch': texts.codeOtherVersion,
    'clock ahead': texts.clockAhead,
    older: texts.older,
  };
  return names[mark] ?? mark;
}

/** Why a memory was found, in the words of the reader. */
export function reasonName(texts: ExplorerTexts, reason: Reason): string {
  const [, before = reason, name = ''] = /^(entity|neighbour of|newer than) (.*)$/s.exec(reason) ?? [];
  const names: Readonly<Record<string, string>> = {
    words: texts.foundByWords,
    entity: texts.foundByEntity,
    'neighbour of': texts.foundBeside,
    document: texts.foundInDocument,
    date: texts.foundByDate,
    'newer than': texts.newerThan,
    'last session': texts.ofLastSession,
    'recent session': texts.ofRecentSession,
    confirmed: texts.confirmedByPerson,
    standing: texts.inForce,
  };
  return fill(names[before] ?? before, name);
}

/** Where a memory comes from. */
export function originName(texts: ExplorerTexts, { kind, name, marked }: Origin): string {
  const from = `${texts.originNames[kind]}${name === '' ? '' : ` · ${name}`}`;
  return marked ? `${from} · ${texts.afterForeignText}` : from;
}

/** Whether it stands in the memory of the team, where it is only read. */
export function isOfTeam(id: string): boolean {
  return id.startsWith(TEAM_PREFIX);
}

const TEAM_PREFIX = 't:';

/** By which the page knows what was recalled. */
export function idOfRecalled({ id, elsewhere }: { readonly id: string; readonly elsewhere?: true }): string {
  return elsewhere ? TEAM_PREFIX + id : id;
}

/** Why nothing can be changed; empty where it can. */
export function whyReadOnly(texts: ExplorerTexts, folder: ShownFolder | undefined): string {
  if (!folder?.trusted) return texts.readOnly;
  if (folder.access === 'foreign') return texts.readOnlyForeign;
  return folder.access === 'read-only' ? texts.readOnlyFile : '';
}

/** What is said of a node that is not open. Some lists do not know by what a memory was superseded, or whether. */
export function stateName(
  texts: ExplorerTexts,
  node: {
    readonly valid_until: string | null;
    readonly tombstoned: 0 | 1;
    readonly superseded_by?: readonly unknown[] | string | null;
    readonly kind?: string;
    readonly away?: boolean | undefined;
    readonly unread?: string | undefined;
  },
): string {
  const { superseded_by: by } = node;
  if (node.tombstoned === 1) return node.unread ? texts.unreadFile : node.away ? texts.away : texts.forgotten;
  if (node.valid_until === null) return '';
  if (node.kind === 'session') return texts.closed;
  if (by === undefined) return texts.notValid;
  return by === null || by.length === 0 ? texts.noLongerTrue : texts.superseded;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A mark for each digit of an invalid time: a store file may come from anybody. */
const UNKNOWN_TIME = '????-??-??T??:??:??.???Z';

/** The day of a timestamp as agents read it, in UTC. */
export function day(timestamp: string): string {
  return known(timestamp).slice(0, 10);
}

/** `2026-03-31 12:00 UTC` */
export function moment(timestamp: string): string {
  return `${day(timestamp)} ${known(timestamp).slice(11, 16)} UTC`;
}

function known(timestamp: string): string {
  return TIME.test(timestamp) ? timestamp : UNKNOWN_TIME;
}

const SHORT_COMMIT = 8;

/** How a commit is called beside its author. */
export function shortCommit(id: string): string {
  return id.slice(0, SHORT_COMMIT);
}
