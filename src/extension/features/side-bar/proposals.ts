/** The rows of what waits in the view Review until a person keeps it. */
import * as vscode from 'vscode';
import type { Origin, Proposal, ProposalSource, Review } from '../../../protocol/tool-values';
import { counted, kindIcon, kindName, markNames, originName } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import { memoryTooltip } from './memory-row';
import { onNamedCode } from './on-named-code';
import { passes } from './review-groups';
import { newRow, noteRow, opensMemory, type Row } from './row';
import type { AskedOfMemories } from './view-state';

/** As many as a person looks through; what is settled makes room for others. */
const MOST_PROPOSALS = 200;

/** What waits, and where it comes from. */
export type Proposed = Pick<Review, 'proposals' | 'sources' | 'more'>;

export async function proposedIn(memories: Memories, place: Place): Promise<Proposed> {
  return memories.call<Review>(place, 'review', { only: 'proposals', limit: MOST_PROPOSALS });
}

/** A group for each source. @param asked what the filter lets through */
export async function proposalRows(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  { proposals, sources }: Proposed,
  asked: AskedOfMemories,
): Promise<Row[]> {
  const onCode = await onNamedCode(
    memories,
    place,
    asked,
    proposals.map(({ node }) => node.id),
  );
  return sources.flatMap((source) => {
    const listed = proposals.filter((one) => one.source === source.source);
    const own = listed.filter(({ node }) =>
      passes(asked, onCode, { kind: node.kind, ids: [node.id], texts: [node.content, nameOf(source.origin)] }),
    );
    return own.length === 0 ? [] : [sourceRow(parent, memories, place, source, own, listed.length - own.length)];
  });
}

function nameOf(origin: Origin | null): string {
  return plainLine(originName(origin));
}

function sourceRow(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  { source, origin, waiting }: ProposalSource,
  own: readonly Proposal[],
  hidden: number,
): Row {
  const label = vscode.l10n.t('From {0}', nameOf(origin));
  return newRow(
    parent,
    {
      key: `source ${source}`,
      label,
      description:
        hidden === 0
          ? vscode.l10n.t('{0} proposed', waiting)
          : vscode.l10n.t('{0} of {1} proposed', own.length, waiting),
      icon: new vscode.ThemeIcon('inbox'),
      spoken: `${label}, ${counted.memories(waiting)}`,
      context: 'review.source',
      expanded: true,
    },
    {
      subject: { place, type: 'source', nodeId: String(source) },
      hidden,
      children: async (above) => [
        ...own.map((one) => proposalRow(above, memories, place, one)),
        ...(waiting > own.length + hidden ? [noteRow(above, vscode.l10n.t('Settle some of these to see more.'))] : []),
      ],
    },
  );
}

function proposalRow(parent: Row, memories: Memories, place: Place, { node, replaces, near, entities }: Proposal): Row {
  const label = plainLine(node.content);
  const notes = [
    // What it is marked with besides waiting: what became of its code.
    ...markNames({ marks: (node.marks ?? []).filter((mark) => mark !== 'proposed') }),
    ...(replaces.length > 0 ? [vscode.l10n.t('replaces {0}', replaces.length)] : []),
    ...(near ? [vscode.l10n.t('nearly repeats another')] : []),
    ...(entities.length > 0 ? [plainLine(entities.join(', '))] : []),
  ];
  return newRow(
    parent,
    {
      key: node.id,
      label,
      description: notes.join(' · '),
      icon: kindIcon(node.kind),
      spoken: [kindName(node.kind), label, ...notes].join(', '),
      context: 'review.proposal',
      command: opensMemory(place, node.id),
    },
    {
      subject: { place, type: 'memory', nodeId: node.id },
      tooltip: async () => memoryTooltip(await memories.call(place, 'node', { id: node.id })),
    },
  );
}
