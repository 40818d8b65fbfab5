/** The row of a memory. */
import * as vscode from 'vscode';
import type { NodePage } from '../../../protocol/explorer';
import type { Verdict } from '../../../protocol/requests';
import type { NodeSummary } from '../../../protocol/tool-values';
import { shownId } from '../../../server/base/shown';
import {
  isForeign,
  isShared,
  kindIcon,
  kindName,
  markNames,
  originName,
  shownTime,
  standingName,
  stateNames,
  verdictName,
} from '../../kinds';
import type { Memories, Place } from '../../memories';
import { inMarkdown, plainLine } from '../../stored-text';
import { rowUri, type Standing } from '../row-uri';
import { newRow, opensMemory, type Row } from './row';

/** A tooltip is for reading the whole of a memory, within reason. */
export const MAX_TOOLTIP_TEXT = 2_000;

/** What is true of a memory now, as the `viewItem` of package.json's `when` clauses says it. */
function standing({ valid_until, tombstoned }: NodeSummary): Standing {
  if (tombstoned === 1) return 'forgotten';
  return valid_until === null ? 'open' : 'closed';
}

/** What can be done to it: what would be refused is not offered. */
function contextOf(memory: NodeSummary, state: Standing, verdict: Verdict | undefined): string {
  if (isForeign(memory)) return 'memory.foreign';
  return `memory.${state}${verdict === undefined ? '' : '.stale'}${isShared(memory) ? '.shared' : ''}`;
}

/** @param verdict of the memory's code, when it needs review */
export function memoryRow(
  parent: Row | undefined,
  memories: Memories,
  place: Place,
  memory: NodeSummary,
  verdict?: Verdict,
): Row {
  const state = standing(memory);
  const label = plainLine(memory.content);
  const notes = [
    ...markNames(memory),
    ...stateNames(memory),
    shownTime(memory.valid_from),
    ...(memory.confidence < 1 ? [percent(memory.confidence)] : []),
  ];
  return newRow(
    parent,
    {
      key: memory.id,
      label,
      description: notes.join(' · '),
      icon: kindIcon(memory.kind, state === 'open' ? undefined : new vscode.ThemeColor('disabledForeground')),
      // Screen readers do not read the badge.
      spoken: [kindName(memory.kind), label, ...(verdict ? [verdictName(verdict)] : []), ...notes].join(', '),
      context: contextOf(memory, state, verdict),
      command: opensMemory(place, memory.id),
      resource: rowUri(memory.id, state, verdict),
    },
    {
      subject: { place, type: 'memory', nodeId: memory.id },
      tooltip: async () => memoryTooltip(await memories.call<NodePage>(place, 'node', { id: memory.id }), verdict),
    },
  );
}

/** Stored text is shown as text: neither links, images nor icons come out of it. */
export function memoryTooltip(memory: NodePage, verdict?: Verdict): vscode.MarkdownString {
  const tip = new vscode.MarkdownString();
  const since = vscode.l10n.t('since {0}', shownTime(memory.valid_from));
  tip.appendMarkdown(`**${kindName(memory.kind)}** · ${since} · `);
  tip.appendMarkdown(`${vscode.l10n.t('confidence {0}', percent(memory.confidence))} · `);
  tip.appendMarkdown(
    markNames(memory)
      .map((mark) => `**${mark}** · `)
      .join(''),
  );
  tip.appendMarkdown(inMarkdown(shownId(memory.id), MAX_TOOLTIP_TEXT));
  if (memory.origin) {
    const from = [originName(memory.origin), standingName(memory.standing)].map((text) => plainLine(text)).join(' · ');
    tip.appendMarkdown(`\n\n${inMarkdown(from, MAX_TOOLTIP_TEXT)}`);
  }
  tip.appendMarkdown('\n\n');
  tip.appendMarkdown(inMarkdown(cutText(memory.content), MAX_TOOLTIP_TEXT));
  const part = (title: string, texts: readonly string[]): void => {
    if (texts.length === 0) return;
    tip.appendMarkdown(`\n\n**${title}** `);
    tip.appendMarkdown(
      texts.map((text) => inMarkdown(plainLine(text, MAX_TOOLTIP_TEXT), MAX_TOOLTIP_TEXT)).join(' · '),
    );
  };
  part(vscode.l10n.t('Rationale:'), memory.rationale === null ? [] : [memory.rationale]);
  part(vscode.l10n.t('Rejected:'), memory.alternatives_rejected);
  part(vscode.l10n.t('About:'), contents(memory.entities));
  const meaningless = (memory.unresolved ?? []).map(({ name, nearest }) =>
    nearest.length === 0 ? name : `${name} (${vscode.l10n.t('similar: {0}', nearest.join(', '))})`,
  );
  part(vscode.l10n.t('Means no code:'), meaningless);
  part(vscode.l10n.t('Kept, this takes the place of:'), contents(memory.replaces));
  const near = (memory.near ?? []).map((one) => [...markNames(one), one.content].join(': '));
  part(vscode.l10n.t('Says nearly the same as:'), near);
  part(vscode.l10n.t('Supersedes:'), contents(memory.supersedes));
  part(vscode.l10n.t('Superseded by:'), contents(memory.superseded_by));
  part(vscode.l10n.t('Its code:'), verdict === undefined ? [] : [verdictName(verdict)]);
  return tip;
}

const contents = (nodes: readonly { readonly content: string }[]): string[] => nodes.map(({ content }) => content);

function cutText(text: string): string {
  return text.length <= MAX_TOOLTIP_TEXT ? text : `${text.slice(0, MAX_TOOLTIP_TEXT)}…`;
}

function percent(confidence: number): string {
  return new Intl.NumberFormat(vscode.env.language, { style: 'percent' }).format(confidence);
}
