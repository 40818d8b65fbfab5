import type { NodeKind } from '../protocol/explorer';

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
  readonly content: string;
  /** The session it was stored in, where the budget left room to say it. */
  readonly session: string | undefined;
}

const SECTIONS: Readonly<Record<string, NodeKind>> = {
  '### Decisions': 'decision',
  '### Facts': 'fact',
  '### Procedures': 'procedure',
  '### Preferences': 'preference',
  '### Actions': 'action',
  '### Outcomes': 'outcome',
  '### Entities': 'entity',
  '### Sessions': 'session',
};
const PROVENANCE = '### Provenance';
const HEADING = /^## Memory recall: .* · (\d+)\/(\d+) tokens\)$/;
const ITEM = /^- \[(.+?)\] (\d{4}-\d{2}-\d{2}) · conf (\d\.\d\d) — (.*)$/;
const SOURCE = /^(.+) ← session (.+)$/;

/**
 * Reads the Markdown of memory_recall. Stored text cannot forge a line in it, because the server prints each content on
 * one line.
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
    if (line in SECTIONS) kind = SECTIONS[line];
    else if (line === PROVENANCE) {
      for (const entry of (lines[i + 1] ?? '').split(' · ')) {
        const [, id, session] = SOURCE.exec(entry) ?? [];
        if (id !== undefined && session !== undefined) sessions.set(id, session);
      }
      break;
    } else if (item && kind) {
      const [, id = '', date = '', confidence = '', content = ''] = item;
      rows.push({ id, kind, date, confidence: Number(confidence), content });
    } else if (rows.length === 0) sentence = line;
  }
  return {
    used: Number(used),
    budget: Number(budget),
    rows: rows.map((row) => ({ ...row, session: sessions.get(row.id) })),
    sentence,
  };
}
