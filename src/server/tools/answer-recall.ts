/** What memory_recall answers. Apart from the tool, because hooks give a briefing without loading what checks arguments. */
import { counted } from '../base/counted';
import { BRIEFING_BUDGET_TOKENS, BRIEFING_LINE_TOKENS, MAX_LOADED_ITEMS } from '../memory/limits';
import type { Memory } from '../memory/memory';
import { asksForBriefing, briefing } from '../memory/recall/briefing';
import { type Matched, type RankedItem, type Recalled, type RecallInput, recall } from '../memory/recall/recall';
import { ABSENT_NOTICES } from '../project/absent-notice';
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

/** What else was found, and how it is joined with what the store holds. */
export interface FoundElsewhere {
  readonly matched: Matched;
  /** @returns both as one list, and how many are in both and told once */
  readonly join: (own: readonly RankedItem[]) => { readonly items: readonly RankedItem[]; readonly twice: number };
  readonly notice?: string;
}

/** A briefing where the query asks for one. @param elsewhere of a team's memory, which is asked meanwhile */
export async function answerRecall(
  { memory, project }: { readonly memory: Memory; readonly project: Project },
  { budget_tokens, ...asked }: AskedRecall,
  elsewhere?: Promise<FoundElsewhere | undefined>,
): Promise<PackedMemories> {
  const brief = asksForBriefing(asked.query);
  const question = { ...asked, limit: itemsWorthLoading(budget_tokens) };
  const { items, asOf, matched, waiting = 0 }: Recalled = await (brief ? briefing : recall)(memory, question);
  const other = await elsewhere;
  const all = other?.join(items);
  const { packed, printed, measured } = pack(project.tokenizer(), {
    query: asked.query,
    asOf,
    budget: budget_tokens,
    limit: brief ? Math.min(budget_tokens, BRIEFING_BUDGET_TOKENS) : budget_tokens,
    line: brief ? BRIEFING_LINE_TOKENS : undefined,
    items: all?.items ?? items,
    matched: matched && other ? both(matched, other.matched, all?.twice) : matched,
    notice: noticeOf(project, brief, all?.items ?? items) ?? other?.notice,
    nothing: brief ? whyEmpty(memory, waiting) : 'Nothing is remembered about this yet.',
  });
  const isElsewhere = asked.namespace !== undefined && asked.namespace !== memory.scope.namespace;
  // What is in no row here is used elsewhere.
  const own = printed.filter(({ seq }) => seq >= 0);
  project.uses.note(own, measured, asked.as_of === undefined && !isElsewhere);
  return packed;
}

/** What is to be known of the store before what it says, or does not say. */
function noticeOf({ memory, absent }: Project, brief: boolean, items: readonly RankedItem[]): string | undefined {
  if (brief && memory.foreign) return FOREIGN_NOTICE;
  const what = brief || items.length === 0 ? absent() : undefined;
  return what && ABSENT_NOTICES[what];
}

function both(one: Matched, other: Matched, twice = 0): Matched {
  return { count: one.count + other.count - twice, isLeast: one.isLeast || other.isLeast };
}

/** Hardly any printed line is shorter: more items than the budget divided by it are not worth loading. */
const TOKENS_OF_SHORT_LINE = 30;
/** Items too long for what is left are passed over: some more than would fit are needed. */
const SPARE_ITEMS = 16;

export function itemsWorthLoading(budget: number): number {
  return Math.min(Math.ceil(budget / TOKENS_OF_SHORT_LINE) + SPARE_ITEMS, MAX_LOADED_ITEMS);
}
