import type { ExplorerTexts, NodeKind, Verdict } from '../protocol/explorer';

/** Puts values for `{0}`, `{1}` … */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (whole, place: string) => String(values[Number(place)] ?? whole));
}

export function kindName(texts: ExplorerTexts, kind: NodeKind): string {
  return {
    fact: texts.fact,
    decision: texts.decision,
    action: texts.action,
    outcome: texts.outcome,
    procedure: texts.procedure,
    preference: texts.preference,
    entity: texts.entity,
    session: texts.session,
  }[kind];
}

export function verdictName(texts: ExplorerTexts, verdict: Verdict): string {
  return {
    unchanged: texts.codeUnchanged,
    moved: texts.codeMoved,
    changed: texts.codeChanged,
    gone: texts.codeGone,
  }[verdict];
}

/** What is said of a memory that is not open. */
export function stateName(
  texts: ExplorerTexts,
  node: { readonly valid_until: string | null; readonly tombstoned: 0 | 1; readonly superseded_by?: unknown },
): string {
  if (node.tombstoned === 1) return texts.forgotten;
  if (node.valid_until === null) return '';
  const superseded = Array.isArray(node.superseded_by) ? node.superseded_by.length > 0 : Boolean(node.superseded_by);
  return superseded ? texts.superseded : texts.closed;
}

/** The day of a timestamp as agents read it, in UTC. */
export function day(timestamp: string): string {
  return timestamp.slice(0, 10);
}

/** `2026-03-31 12:00 UTC` */
export function moment(timestamp: string): string {
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`;
}
