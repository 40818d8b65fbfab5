/** Prints who stored what. */
import { counted } from '../base/counted';
import { shownDay, shownId, shownSecond } from '../base/shown';
import { cut, oneLine } from '../base/text';
import type { Audit } from '../memory/people/audit';
import type { Suspicion } from '../memory/people/instruction-like';
import { marksOf } from './line';
import { originName } from './origin';

const WIDTH = 80;

const WHY: Readonly<Record<Suspicion, string>> = {
  overrides: 'sets rules aside',
  hides: 'wants to stay hidden',
  sends: 'sends something somewhere',
  runs: 'runs a command',
  credentials: 'names credentials',
};

/** In lines no wider than a terminal. */
export function renderAudit(audit: Audit, width = WIDTH): string {
  const line = (text: string): string => cut(text, width);
  const { sources, bursts, suspicious, unseen_decisions, unseen_count, more } = audit;
  if (sources.length === 0) return 'Nothing was stored here.';
  const blocks = [
    [
      `## Who stored what in ${cut(oneLine(audit.namespace), 40)}${audit.foreign ? ' (a foreign store)' : ''}`,
      ...sources.flatMap(({ origin, memories, open, confirmed, proposed, first, last }) => [
        line(
          `- ${originName(origin)}: ${counted(memories, 'memory')}, ${open} open, ${confirmed} confirmed, ${proposed} proposed`,
        ),
        line(`  ${shownDay(first)} – ${shownDay(last)}`),
      ]),
    ],
  ];
  if (bursts.length > 0) {
    blocks.push([
      `## Many in one hour (${bursts.length})`,
      ...bursts.map(({ origin, from, memories }) =>
        line(`- ${shownSecond(from).slice(0, 16)}: ${counted(memories, 'memory')} by ${originName(origin)}`),
      ),
    ]);
  }
  if (suspicious.length > 0) {
    blocks.push([
      `## Unconfirmed, and read like instructions to an agent (${suspicious.length})`,
      ...suspicious.flatMap(({ node, why }) => [
        line(
          `- [${shownId(node.id)}] ${shownDay(node.recorded_at)}${marksOf(node.marks)} · ${originName(node.origin)}`,
        ),
        line(`  ${why.map((one) => WHY[one]).join(', ')}`),
        line(`  ${oneLine(node.content)}`),
      ]),
    ]);
  }
  if (unseen_count > 0) {
    blocks.push([
      `## Decisions that no person has confirmed (${unseen_count})`,
      ...unseen_decisions.map((node) =>
        line(`- [${shownId(node.id)}] ${shownDay(node.recorded_at)}${marksOf(node.marks)} — ${oneLine(node.content)}`),
      ),
    ]);
  }
  if (more) blocks.push(['There are more; --since and --json narrow it down.']);
  return blocks.map((block) => block.join('\n')).join('\n\n');
}
