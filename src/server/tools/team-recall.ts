/** Joins what the memory of a team finds with what the store does. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import { MARKS, type Mark } from '../memory/marks';
import { asksForBriefing, briefing } from '../memory/recall/briefing';
import { type RankedItem, type Reason, recall } from '../memory/recall/recall';
import type { Project } from '../project/open';
import { type AskedRecall, type FoundElsewhere, itemsWorthLoading } from './answer-recall';
import { askCopy, askTeam, type NoAnswer, TEAM_ID, TEAM_NODE, teamMarks } from './ask-team';

const MAX_ITEMS = 200;
/** Those that name a memory or an entity of the server are nothing here. */
const KNOWN_REASONS = new Set<string>(['words', 'date', 'last session', 'recent session', 'confirmed', 'standing']);
/** In place of a row number: nothing of it is counted in the store. */
const NO_ROW = -1;

const ITEM = TEAM_NODE.extend({
  kind: z.enum(NODE_KINDS),
  newer: TEAM_ID.optional(),
  reasons: z.array(z.string()).optional(),
});
const ITEMS = z.array(z.unknown()).max(MAX_ITEMS);
const COUNT = z.object({ count: z.int().min(0), isLeast: z.boolean() });
const ANSWER = z.object({ items: ITEMS, more: COUNT.optional() });
const COPY_ANSWER = z.object({ items: ITEMS, matched: COUNT.optional() });

/** Asks it the same question. @returns undefined where no team is asked; it never throws */
export async function recallOfTeam(
  project: Project,
  asked: AskedRecall & { readonly namespace: string },
  signal: AbortSignal,
): Promise<FoundElsewhere | undefined> {
  const { query, budget_tokens, kinds, as_of, hops, min_confidence, namespace } = asked;
  const question = { query, budget_tokens, kinds: [...kinds], hops, min_confidence, namespace };
  const input = as_of === undefined ? question : { ...question, as_of };
  const answer = await askTeam(project, 'memory_recall', input, ANSWER, signal);
  if (answer === undefined) return undefined;
  if (answer === 'silent' || answer === 'shut') return recallOfCopy(project, answer, asked, signal);
  const found = answer.items.flatMap((item) => itemOf(item) ?? []);
  const shown = found.filter(({ reasons = [] }) => reasons.includes('words')).length;
  return {
    matched: { count: shown + (answer.more?.count ?? 0), isLeast: answer.more?.isLeast ?? false },
    join: (own) => joined(own, found),
  };
}

/** With a limit where as many are looked at, and not as many as fit. */
interface AskedOfCopy extends AskedRecall {
  readonly namespace: string;
  readonly limit?: number;
}

/**
 * What the copy on this machine holds, for who waits for no server.
 * @param wanted of what it finds; all where it is missing
 * @returns undefined where no team is asked, where there is no copy to read, and where the team last let this person not in;
 * it never throws
 */
export async function recallOfKept(
  project: Project,
  asked: AskedOfCopy,
  signal: AbortSignal,
  wanted?: (item: RankedItem) => boolean,
): Promise<FoundElsewhere | undefined> {
  const team = project.team();
  if (!team || team.copy.isShut()) return undefined;
  const found = await recallOfCopy(project, 'unasked', asked, signal, wanted);
  return found.isAnswered ? found : undefined;
}

/** The same question to the copy on this machine, which is read as the server would read its own. */
async function recallOfCopy(
  project: Project,
  why: NoAnswer | 'unasked',
  { budget_tokens, limit = itemsWorthLoading(budget_tokens), ...asked }: AskedOfCopy,
  signal: AbortSignal,
  wanted: (item: RankedItem) => boolean = () => true,
): Promise<FoundElsewhere & { readonly isAnswered: boolean }> {
  const question = { ...asked, limit };
  const { answer, notice } = await askCopy(
    project,
    why,
    async (memory) => {
      const { items, matched } = await (asksForBriefing(asked.query) ? briefing : recall)(memory, question);
      return { items: items.filter(wanted).slice(0, MAX_ITEMS), matched };
    },
    COPY_ANSWER,
    signal,
  );
  const found = answer?.items.flatMap((item) => itemOf(item) ?? []) ?? [];
  return {
    matched: answer?.matched ?? { count: 0, isLeast: false },
    join: (own) => joined(own, found),
    isAnswered: answer !== undefined,
    notice,
  };
}

/** What does not fit is left out. */
function itemOf(given: unknown): RankedItem | undefined {
  const parsed = ITEM.safeParse(given);
  if (!parsed.success) return undefined;
  const { marks, newer, reasons = [], ...item } = parsed.data;
  return {
    ...item,
    ...{ seq: NO_ROW, standing: 'stored', session_id: null, tokens: null, marks: teamMarks(marks) },
    ...(newer === undefined ? {} : { newer }),
    reasons: reasons.filter((reason): reason is Reason => KNOWN_REASONS.has(reason)),
  };
}

/**
 * Both lists as one, best first. What was found by the question itself comes before what stands beside such a memory; of two
 * alike they take turns, the own one first. What both hold is told once, as the own one with the mark of the team.
 */
function joined(own: readonly RankedItem[], theirs: readonly RankedItem[]): ReturnType<FoundElsewhere['join']> {
  const said = new Map(theirs.map((item) => [saidBy(item), item]));
  const mine = own.map((item) => (said.delete(saidBy(item)) ? { ...item, marks: withTeam(item.marks) } : item));
  const rest = theirs.filter((item) => said.get(saidBy(item)) === item);
  const items: RankedItem[] = [];
  let [i, j] = [0, 0];
  while (i < mine.length || j < rest.length) {
    const [one, other] = [mine[i], rest[j]];
    const isOwn =
      other === undefined || (one !== undefined && (isDirect(one) === isDirect(other) ? i <= j : isDirect(one)));
    const next = isOwn ? one : other;
    if (next) items.push(next);
    if (isOwn) i++;
    else j++;
  }
  return { items, twice: theirs.length - rest.length };
}

function withTeam(marks: readonly Mark[] = []): Mark[] {
  return MARKS.filter((mark) => mark === 'team' || marks.includes(mark));
}

function saidBy({ kind, content }: RankedItem): string {
  return `${kind} ${content.trim().replace(/\s+/g, ' ').toLowerCase()}`;
}

function isDirect({ reasons = [] }: RankedItem): boolean {
  return reasons.some((reason) => reason !== 'document' && !reason.startsWith('neighbour of'));
}
