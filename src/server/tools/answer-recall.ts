/** What memory_recall answers. Apart from the tool, because hooks give a briefing without loading what checks arguments. */
import { counted } from '../base/counted';
import { BRIEFING_BUDGET_TOKENS, BRIEFING_LINE_TOKENS, MAX_LOADED_ITEMS } from '../memory/limits';
import type { Memory } from '../memory/memory';
import { asksForBriefing, briefing } from '../memory/recall/briefing';
import { type Recalled, type RecallInput, recall } from '../memory/recall/recall';
import type { Project } from '../project/open';
import { FOREIGN_NOTICE } from '../render/foreign';
import { pack } from '../render/pack';
import type { PackedMemories } from '../render/packed-memories';

/** The arguments of memory_recall, read. */
export interface AskedRecall extends Omit<RecallInput, 'limit'> {
  readonly budget_tokens: number;
}

/** Of a briefing without an item. */
function whyEmpty({ foreign, shared }: Memory, waiting: number): string {
  if (foreign) return 'What it holds is in no briefing; other questions find it, marked as foreign.';
  if (waiting === 0 && shared.foreign) {
    return 'The shared memories of this folder came with it, and nobody has accepted them. A person can look at them and accept them with "svc-memory trust".';
  }
  if (waiting === 0) return 'No decisions or conventions are remembered yet.';
  return `Nothing has been kept yet: ${counted(waiting, 'memory')} wait${waiting === 1 ? 's' : ''} in Review until a person keeps ${waiting === 1 ? 'it' : 'them'}.`;
}

/** A briefing where the query asks for one. */
export async function answerRecall(
  { memory, project }: { readonly memory: Memory; readonly project: Project },
  { budget_tokens, ...asked }: AskedRecall,
): Promise<PackedMemories> {
  const brief = asksForBriefing(asked.query);
  const question = { ...asked, limit: itemsWorthLoading(budget_tokens) };
  const { items, asOf, matched, waiting = 0 }: Recalled = await (brief ? briefing : recall)(memory, question);
  const { packed, printed, measured } = pack(project.tokenizer(), {
    query: asked.query,
    asOf,
    budget: budget_tokens,
    limit: brief ? Math.min(budget_tokens, BRIEFING_BUDGET_TOKENS) : budget_tokens,
    line: brief ? BRIEFING_LINE_TOKENS : undefined,
    items,
    matched,
    notice: brief && memory.foreign ? FOREIGN_NOTICE : undefined,
    nothing: brief ? whyEmpty(memory, waiting) : 'Nothing is remembered about this yet.',
  });
  const elsewhere = asked.namespace !== undefined && asked.namespace !== memory.scope.namespace;
  project.uses.note(printed, measured, asked.as_of === undefined && !elsewhere);
  return packed;
}

/** Hardly any printed line is shorter: more items than the budget divided by it are not worth loading. */
const TOKENS_OF_SHORT_LINE = 30;
/** Items too long for what is left are passed over: some more than would fit are needed. */
const SPARE_ITEMS = 16;

export function itemsWorthLoading(budget: number): number {
  return Math.min(Math.ceil(budget / TOKENS_OF_SHORT_LINE) + SPARE_ITEMS, MAX_LOADED_ITEMS);
}
