/** Prints one node with everything that belongs to it. */

import { nothingFound } from '../base/nothing-found';
import { shownCommit, shownDay, shownId, shownShare, shownWord } from '../base/shown';
import { oneLine, shownPath } from '../base/text';
import type { Unresolved } from '../memory/code/touches';
import type { Marked } from '../memory/marks';
import type { Background, SharedFile, TouchedCode } from '../memory/people/node-background';
import type { NodeDetails, NodeReference, NodeSummary } from '../memory/people/node-details';
import { describeChange, toldOfCode } from './code-change';
import { linePrefix, marksOf } from './line';
import { originName } from './origin';

interface NodeFile {
  readonly file?: SharedFile | undefined;
}

/** One node with everything around it, for people and as a resource. Stored text stays on its line. */
export function renderNode(
  node: NodeDetails & Partial<Pick<Background, 'code' | 'near' | 'unresolved'>> & NodeFile,
): string {
  const lines = [
    `## ${shownWord(node.kind)} ${shownId(node.id)}`,
    '',
    `**${oneLine(node.content)}**`,
    '',
    `${shownDay(node.valid_from)} · conf ${shownShare(node.confidence)}${marksOf(node.marks)} · ${stateOf(node)} · namespace ${oneLine(node.namespace)}`,
  ];
  const paragraphs: readonly (readonly [string, string])[] = [
    ['Rationale', oneLine(node.rationale ?? '')],
    ['Rejected alternatives', node.alternatives_rejected.map(oneLine).join(', ')],
    ['Also called', node.aliases.map(oneLine).join(', ')],
    ['From', node.origin === null ? '' : `${originName(node.origin)} · ${shownWord(node.standing)}`],
    ['File', node.file ? fileLine(node.file) : ''],
    ['Session', node.session_id === null ? '' : shownId(node.session_id)],
  ];
  for (const [title, text] of paragraphs) if (text !== '') lines.push('', `**${title}:** ${text}`);
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['About', node.entities.map(reference)],
    ['Code', (node.code ?? []).map(codeLine)],
    ['Means no code', (node.unresolved ?? []).map(unresolvedLine)],
    ['Kept, this takes the place of', node.replaces.map(reference)],
    ['Says nearly the same as', (node.near ?? []).map(reference)],
    ['Supersedes', node.supersedes.map(reference)],
    ['Superseded by', node.superseded_by.map(reference)],
    ['Stored in it', node.nodes.map((stored) => nodeSummaryLine(stored))],
  ];
  for (const [title, entries] of lists) if (entries.length > 0) lines.push('', `**${title}:**`, ...entries);
  return lines.join('\n');
}

/** `- [<id>] <date> · conf <0.00> [closed] — <content>` */
export function nodeSummaryLine(node: NodeSummary): string {
  const state = stateOf(node);
  return `${linePrefix(node, state === 'open' ? '' : ` [${state}]`)}${oneLine(node.content)}`;
}

function stateOf({
  away,
  unread,
  tombstoned,
  valid_until,
}: NodeSummary & Pick<NodeDetails, 'away'> & { readonly unread?: string | undefined }): string {
  if (away)
    return unread === undefined ? 'shared, its file is not here' : `shared, ${shownPath(unread)} cannot be read`;
  if (tombstoned === 1) return 'forgotten';
  return valid_until === null ? 'open' : `closed ${shownDay(valid_until)}`;
}

/** `<path> · last changed by <author> on <day> (<commit>)` */
function fileLine({ path, committed, last }: SharedFile): string {
  return [
    oneLine(path),
    ...(last ? [`last changed by ${oneLine(last.author)} on ${shownDay(last.at)} (${shownCommit(last.id)})`] : []),
    ...(committed === false ? [last ? 'changed since, not committed' : 'not committed'] : []),
  ].join(' · ');
}

/** `- <path>:<line> <name>: <what became of it>`; of a whole file, `- <path>` */
function codeLine({ verdict, now, ...was }: TouchedCode): string {
  const place = now ?? was;
  const path = oneLine(place.file_path);
  const where = was.code_type === 'file' ? path : `${path}${now ? `:${now.start_line}` : ''} ${oneLine(place.name)}`;
  const told = verdict === 'moved' ? describeChange({ verdict, was, now }) : verdict && toldOfCode(verdict);
  return `- ${where}${told ? `: ${told}` : ''}`;
}

/** `- <name>; the nearest are …` */
function unresolvedLine({ name, nearest }: Unresolved): string {
  return `- ${nothingFound(oneLine(name), nearest)}`;
}

function reference({ id, content, marks }: NodeReference & Marked): string {
  return `- [${shownId(id)}]${marksOf(marks)} ${oneLine(content)}`;
}
