/** Prints the code of a memory, then and now. */
import { changedLines } from '../base/line-diff';
import { shownDay, shownId, shownWord } from '../base/shown';
import { oneLine, printable } from '../base/text';
import type { Verdict } from '../memory/code/touches';
import type { NodeSummary } from '../memory/people/node-details';
import { type ChangedPlace, describeChange } from './code-change';
import { linePrefix } from './line';

export interface ShownComparison {
  readonly node: NodeSummary & { readonly rationale: string | null };
  readonly symbols: readonly ShownSymbol[];
}

interface ShownSymbol extends ChangedPlace {
  readonly verdict: Verdict;
  readonly linked_at: string;
  readonly now: (ChangedPlace['was'] & { readonly start_line: number }) | null;
  readonly text_then: string | null;
  readonly text_now: string | null;
}

/** The memory, and of each symbol the lines that differ. */
export function renderCompare({ node, symbols }: ShownComparison): string {
  const said = [
    `${linePrefix(node)}${shownWord(node.kind)}: ${oneLine(node.content)}`,
    ...(node.rationale === null ? [] : [`  because ${oneLine(node.rationale)}`]),
  ].join('\n');
  if (symbols.length === 0) return `${said}\n\n${shownId(node.id)} is not linked to code.`;
  return [said, ...symbols.map(block)].join('\n\n');
}

function block(symbol: ShownSymbol): string {
  const { verdict, was, now, linked_at, text_then, text_now } = symbol;
  const place = now ?? was;
  const name = was.code_type === 'file' ? '' : ` ${oneLine(place.name)}`;
  const since =
    verdict === 'unchanged'
      ? `unchanged since ${shownDay(linked_at)}`
      : describeChange({ ...symbol, since: linked_at });
  const head = `${oneLine(place.file_path)}${now ? `:${now.start_line}` : ''}${name}: ${since}`;
  if (text_then === null) return `${head}\n  What it was then is not known: Git has not got it, and no copy was kept.`;
  const lines = changedLines(printable(text_then), printable(text_now ?? ''));
  return [head, ...lines.map(({ sign, line }) => `  ${sign} ${line}`.trimEnd())].join('\n');
}
