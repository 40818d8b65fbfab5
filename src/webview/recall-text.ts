/** Parses the answer of `memory_recall` into rows. */
import { KINDS, NODE_KINDS, type NodeKind } from '../kinds/kinds';

/** The answer of memory_recall, taken apart: what a person clicks is exactly what an agent reads. */
export interface RecallText {
  /** As the heading says: what the whole text takes of the budget. */
  readonly used: number;
  readonly budget: number;
  readonly rows: readonly RecallRow[];
  /** The sentence below the heading, where there is no row. */
  readonly sentence: string;
}

export interface RecallRow {
  readonly id: string;
  readonly kind: NodeKind;
  readonly date: string;
  readonly confidence: number;
  /** Such as `foreign`. */
  readonly marks: readonly string[];
  readonly content: string;
  /** The session it was stored in, where the budget left room to say it. */
  readonly session: string | undefined;
}

const SECTIONS = new Map(NODE_KINDS.map((kind) => [`### ${KINDS[kind].heading}`, kind]));
const PROVENANCE = '### Provenance';
const HEADING = /^## Memory recall: .* · (\d+)\/(\d+) tokens\)$/;
const ITEM =
  /^- \[(.+?)\] (\d{4}-\d\d-\d\d|\?{4}-\?\?-\?\?) · conf (\d\.\d\d|\?\.\?\?)((?: · [a-z]+(?: [a-z]+)*)*) — (.*)$/;
const SOURCE = /^(.+) ← session (.+)$/;

/**
 * Reads the Markdown of memory_recall. Stored text cannot forge a line in it, because the server prints each content on
 * one line. A date or a number in no form of ours is question marks there.
 */
export function readRecall(markdown: string): RecallText {
  const [heading = '', ...lines] = markdown.split('\n');
  const [, used = '0', budget = '0'] = HEADING.exec(heading) ?? [];
  const rows: Omit<RecallRow, 'session'>[] = [];
  const sessions = new Map<string, string>();
  let kind: NodeKind | undefined;
  let sentence = '';
  for (const [i, line] of lines.entries()) {
    const item = ITEM.exec(line);
    if (SECTIONS.has(line)) kind = SECTIONS.get(line);
    else if (line === PROVENANCE) {
      for (const entry of (lines[i + 1] ?? '').split(' · ')) {
        const [, id, session] = SOURCE.exec(entry) ?? [];
        if (id !== undefined && session !== undefined) sessions.set(id, session);
      }
      break;
    } else if (item && kind) {
      const [, id = '', date = '', confidence = '', marks = '', content = ''] = item;
      rows.push({
        ...{ id, kind, date, content },
        confidence: Number(confidence.replaceAll('?', '0')),
        marks: marks.split(' · ').slice(1),
      });
    } else if (rows.length === 0) sentence = line;
  }
  return {
    used: Number(used),
    budget: Number(budget),
    rows: rows.map((row) => ({ ...row, session: sessions.get(row.id) })),
    sentence,
  };
}
