/** Puts a person's words in the place of a memory. */
import * as vscode from 'vscode';
import { stillRejected } from '../../kinds/still-rejected';
import type { NodeDetails } from '../../protocol/tool-values';
import type { Done, Memories } from '../memories';
import { inOwnWords } from '../refusal-words';
import { MAX_ROW_LENGTH, plainLine, withoutIcons, withoutLinks } from '../stored-text';
import type { Target } from './memory-targets';
import { doneBy, tellRefusal } from './tell-done';

/** What an action has done. */
export interface Outcome {
  /** The memory that the message names. */
  readonly target: Target;
  readonly done: readonly Done[];
  /** Whether this action made the file of the repository that it stands in, or took it away. */
  readonly inFile?: boolean;
  /** What the memory said; undefined where that can still be read. */
  readonly content?: string;
}

/**
 * What is known beside the text is kept: a person who corrects a sentence has not changed what it is about. Its reason is
 * shown, since it may speak for what was there before; what was rejected and is chosen now is rejected no more.
 */
export function supersede(memories: Memories, target: Target): Promise<Outcome | undefined> {
  const { place } = target;
  // Whoever means the reason alone leaves the text as it is.
  const hasMore = (old: NodeDetails): boolean => old.rationale !== null || old.alternatives_rejected.length > 0;
  const prompt = (old: NodeDetails): string =>
    hasMore(old)
      ? vscode.l10n.t('What is true now? Enter keeps the text as it is. The old memory stays in the timeline.')
      : vscode.l10n.t('What is true now? The old memory stays in the timeline.');
  // Typed before a refusal.
  let reason: Typed<string> | undefined;
  let rejected: Typed<readonly string[]> | undefined;
  return rewritten({ memories, target, prompt, hasMore }, async (content, old) => {
    const was = saidIn(old);
    const why = reason?.value ?? was.rationale;
    const rationale =
      why === was.rationale && why === '' ? '' : await askForReason(why, overtaken(reason, was.rationale));
    if (rationale === undefined) return undefined;
    const left = rejected?.value ?? stillRejected(was.alternatives, { now: content, before: old.content });
    const all = was.alternatives.join('; ');
    const isAsked = was.alternatives.length > 0 || left.length > 0;
    const told = rejected ? overtaken(rejected, all) : chosenNow(was.alternatives, left);
    const alternatives = isAsked ? await askForRejected(left, told) : left;
    if (!alternatives || isAsItWas(old, { content, rationale, alternatives })) return undefined;
    // What was left as it was is asked for again as it is by then.
    if (reason || rationale !== why) reason = { value: rationale, over: was.rationale };
    if (rejected || alternatives !== left) rejected = { value: alternatives, over: all };
    const now = await memories.call<NodeDetails>(place, 'node', { id: old.id });
    if (!isAsItWas(now, was)) throw new Error(vscode.l10n.t('This memory was changed meanwhile. Look at it again.'));
    const { value, operation } = await memories.act<{ node_id: string; path?: string }>(place, 'memory_store', {
      ...{ content, kind: now.kind, supersedes: now.id },
      // Nobody is asked for them, so they are those that it has by now.
      entities: now.entities.map((entity) => entity.content),
      ...(rationale === '' ? {} : { rationale }),
      ...(alternatives.length === 0 ? {} : { alternatives_rejected: alternatives }),
    });
    const written = { target: { place, nodeId: value.node_id }, inFile: value.path !== undefined };
    return { ...written, done: doneBy(place, operation) };
  });
}

interface Typed<Value> {
  readonly value: Value;
  /** What stood there in its place. */
  readonly over: string;
}

/** What somebody else has put there since something else was typed; undefined where nobody has. */
function overtaken(typed: Typed<unknown> | undefined, now: string): string | undefined {
  if (!typed || typed.over === now) return undefined;
  const shown = now === '' ? '–' : withoutLinks(withoutIcons(now), MAX_ROW_LENGTH);
  return vscode.l10n.t('Changed meanwhile. Enter puts what you typed in the place of: {0}', shown);
}

/** What the new text chooses is out of the box before anybody types there. @returns undefined where all is still in it */
function chosenNow(alternatives: readonly string[], left: readonly string[]): string | undefined {
  const chosen = alternatives.filter((one) => !left.includes(one)).map((one) => plainLine(one));
  if (chosen.length === 0) return undefined;
  return vscode.l10n.t('What was rejected? Left out, because it is chosen now: {0}', chosen.join('; '));
}

/** A person's words take the place of a proposal. */
export function editProposal(memories: Memories, target: Target): Promise<Outcome | undefined> {
  const { place, nodeId } = target;
  const prompt = (): string => vscode.l10n.t('What should be remembered in its place?');
  return rewritten({ memories, target, prompt }, async (content) => {
    const input = { action: 'edit', node_id: nodeId, content };
    const { value, operation } = await memories.act<{ stored: string }>(place, 'settle', input);
    return { target: { place, nodeId: value.stored }, done: doneBy(place, operation) };
  });
}

interface Rewriting {
  readonly memories: Memories;
  readonly target: Target;
  readonly prompt: (old: NodeDetails) => string;
  /** Whether more is asked for than the text, which may then stay as it is. */
  readonly hasMore?: (old: NodeDetails) => boolean;
}

/**
 * Asks until the words are taken: what was refused is told, and is there to be put in other words.
 * @returns undefined where nothing is typed, or nothing else than what was there
 */
async function rewritten(
  { memories, target, prompt, hasMore }: Rewriting,
  take: (content: string, old: NodeDetails) => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> {
  const read = () => memories.call<NodeDetails>(target.place, 'node', { id: target.nodeId });
  let old = await read();
  for (let typed: string | undefined; ; ) {
    const before = plainLine(old.content, Number.MAX_SAFE_INTEGER);
    const content = await askForText(typed ?? before, prompt(old));
    if (content === undefined || (content === before && !hasMore?.(old))) return undefined;
    try {
      // The box has one line.
      return await take(content === before ? old.content : content, old);
    } catch (error) {
      tellRefusal(await inOwnWords(memories, target, error));
      typed = content === before ? undefined : content;
      // What was typed stays in the box also where the memory cannot be read at this moment, or is gone.
      old = await read().catch(() => old);
    }
  }
}

interface Written {
  readonly content: string;
  readonly rationale: string;
  readonly alternatives: readonly string[];
}

function saidIn({ content, rationale, alternatives_rejected: alternatives }: NodeDetails): Written {
  return { content, rationale: rationale ?? '', alternatives };
}

function isAsItWas(old: NodeDetails, { content, rationale, alternatives }: Written): boolean {
  const was = saidIn(old);
  const said = [content, rationale, ...alternatives];
  return JSON.stringify(said) === JSON.stringify([was.content, was.rationale, ...was.alternatives]);
}

async function askForText(value: string, prompt: string): Promise<string | undefined> {
  const content = await vscode.window.showInputBox({
    ...{ title: vscode.l10n.t('Rewrite This Memory'), prompt, value, ignoreFocusOut: true },
    // Selected, it would be gone with the first key of somebody who types before the box is there.
    valueSelection: [value.length, value.length],
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Type the text of the memory.') : undefined),
  });
  return content?.trim();
}

/** @returns '' where it has none any more, undefined where nothing is to be stored */
async function askForReason(rationale: string, prompt?: string): Promise<string | undefined> {
  const before = plainLine(rationale, Number.MAX_SAFE_INTEGER);
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rewrite This Memory'),
    prompt: prompt ?? vscode.l10n.t('Why? Enter keeps the reason as it is.'),
    ...{ value: before, valueSelection: [before.length, before.length], ignoreFocusOut: true },
  });
  // The box has one line.
  return typed === before ? rationale : typed?.trim();
}

/** @param left without those that are chosen now @returns undefined where nothing is to be stored */
async function askForRejected(left: readonly string[], prompt?: string): Promise<readonly string[] | undefined> {
  // They could not be told apart in one line.
  if (left.some((one) => one.includes(';'))) return left;
  const before = left.map((one) => plainLine(one, Number.MAX_SAFE_INTEGER)).join('; ');
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rewrite This Memory'),
    prompt: prompt ?? vscode.l10n.t('What was rejected? Separated by semicolons. Enter keeps it as it is.'),
    ...{ value: before, valueSelection: [before.length, before.length], ignoreFocusOut: true },
  });
  if (typed === before) return left;
  return typed?.split(';').flatMap((one) => one.trim() || []);
}
