import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** In tokens; with less left there is no use in looking on. */
const SHORTEST_LINE = 15;
/** More never fit into any budget that is measured. */
const MOST_LINES = 500;

/** What a baseline prints of a memory: the line that memory_recall prints, so that everybody pays the same for it. */
export interface Line {
  readonly id: string;
  readonly content: string;
  readonly day: string;
}

/** The best lines first, as long as they fit; one that is too long for what is left is skipped, as ours does. */
export function fillBudget(lines: readonly Line[], budget: number): string {
  let left = budget;
  let text = '';
  for (const { id, content, day } of lines.slice(0, MOST_LINES)) {
    if (left < SHORTEST_LINE) break;
    const line = `- [${id}] ${day} · conf 1.00 — ${content.replace(/\s+/g, ' ')}\n`;
    const size = tokens(line);
    if (size > left) continue;
    left -= size;
    text += line;
  }
  return text;
}

/** In tokens of o200k_base, by a tokenizer that is not ours. */
export function tokens(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}
