/** Prints the memories that a Git diff touches. */

import type { MemoryKind } from '../../kinds/kinds';
import { shownDay, shownId, shownShare, shownWord } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Marked } from '../memory/marks';
import { type ChangedPlace, describeChange } from './code-change';
import { marksOf } from './line';

/** What a diff does to memories, as code/check-diff finds it. */
export interface ShownCheck {
  readonly base: string;
  readonly compared: string;
  readonly not_judged: readonly string[];
  readonly memories: readonly (Marked & {
    readonly id: string;
    readonly kind: MemoryKind;
    readonly content: string;
    readonly confidence: number;
    readonly valid_from: string;
    readonly rationale: string | null;
    readonly symbols: readonly ShownSymbol[];
  })[];
}

interface ShownSymbol extends ChangedPlace {
  readonly now: (ChangedPlace['was'] & { readonly start_line: number }) | null;
}

const WIDTH = 80;

/** The memories that a diff touches, each with what became of its code, in lines no wider than a terminal. */
export function renderCheck({ base, compared, memories, not_judged }: ShownCheck, width = WIDTH): string {
  const what = `${compared === 'index' ? 'What is staged' : 'What changed'} since ${oneLine(base)}`;
  const line = (text: string): string => cut(text, width);
  const unknown = not_judged.map((path) =>
    line(`not judged  ${oneLine(path)}: not in the code graph, or a link out of the project`),
  );
  const end = unknown.length === 0 ? [] : [unknown.join('\n')];
  if (memories.length === 0) return [`${what} leaves no memory in doubt.`, ...end].join('\n\n');
  const blocks = memories.map(({ id, kind, content, confidence, valid_from, marks, rationale, symbols }) =>
    [
      line(
        `- [${shownId(id)}] ${shownDay(valid_from)} · conf ${shownShare(confidence)}${marksOf(marks)} — ${shownWord(kind)}: ${oneLine(content)}`,
      ),
      ...(rationale === null ? [] : [line(`  because ${oneLine(rationale)}`)]),
      ...symbols.map((symbol) => line(`  ${symbolLine(symbol)}`)),
    ].join('\n'),
  );
  return [
    `${what} touches ${memories.length} ${memories.length === 1 ? 'memory' : 'memories'}.`,
    ...blocks,
    ...end,
  ].join('\n\n');
}

function symbolLine(symbol: ShownSymbol): string {
  const { verdict, was, now } = symbol;
  const place = now ?? was;
  const name = was.code_type === 'file' ? '' : ` ${oneLine(place.name)}`;
  const change = describeChange(symbol);
  return `${verdict}  ${oneLine(place.file_path)}${now ? `:${now.start_line}` : ''}${name}${change === verdict ? '' : ` (${change})`}`;
}
