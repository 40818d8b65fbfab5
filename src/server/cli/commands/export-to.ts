/** `svc-memory export --to`. */
import { relative, resolve } from 'node:path';
import { counted } from '../../base/counted';
import { endSentence, unavailable, wrongUsage } from '../../base/errors';
import { leadsOut } from '../../base/project-path';
import { cut, oneLine, shownPath } from '../../base/text';
import type { Memory } from '../../memory/memory';
import type { StandingMemory } from '../../memory/transfer/list-standing';
import type { Cli, ExitStatus, GlobalOptions } from '../cli';
import { withProject } from '../with-project';

/** What `--to` takes. */
export const FORMS = ['adr', 'agents-md'] as const;
export type Form = (typeof FORMS)[number];

/** Writes the decisions of the namespace into a folder, one file each: docs/behaviour.md, "Export". */
export function exportAdrs(cli: Cli, target: string, options: GlobalOptions): Promise<ExitStatus> {
  return withProject(cli, options, async ({ memory, place }) => {
    refuseForeign(memory, 'records of decisions have no room to say so');
    const { listDecisions } = await import('../../memory/transfer/list-decisions');
    const { writeAdrs } = await import('../../bring/adr/write-adrs');
    const folder = resolve(cli.around.cwd, target);
    const { cwd } = cli.around;
    // Below these no link is followed; a folder elsewhere is a person's own choice.
    const root =
      [place.root, cwd].find((one) => one !== undefined && !leadsOut(relative(one, folder) || '.')) ?? folder;
    const { written, kept } = writeAdrs(root, folder, await listDecisions(memory));
    const others = kept === 0 ? '' : `; ${counted(kept, 'file')} said the same already`;
    await cli.output.text(`Wrote ${counted(written.length, 'decision')} to ${shownPath(folder)}${others}`);
    return 0 as const;
  });
}

const AGENTS = 'AGENTS.md';
/** Agents read all of it each time. */
const MOST_LINES = 100;
const LONGEST_LINE = 500;
const SECTIONS = [
  { kind: 'decision', title: 'Decisions' },
  { kind: 'procedure', title: 'How things are done' },
  { kind: 'preference', title: 'What people want' },
] as const;

/** Writes what holds into AGENTS.md, between marks: docs/behaviour.md, "Export". */
export function exportAgentsMd(cli: Cli, target: string | undefined, options: GlobalOptions): Promise<ExitStatus> {
  return withProject(cli, options, async ({ memory, place }) => {
    refuseForeign(memory, 'a text for agents is no place to say so');
    const { listStanding } = await import('../../memory/transfer/list-standing');
    const { writeMemoriesBlock } = await import('../../agents/memories-block');
    const kinds = SECTIONS.map(({ kind }) => kind);
    const found = await listStanding(memory, kinds, MOST_LINES + 1);
    const shown = found.slice(0, MOST_LINES);
    const lines = SECTIONS.flatMap(({ kind, title }) => {
      const own = shown.filter((one) => one.kind === kind);
      return own.length === 0 ? [] : ['', `### ${title}`, '', ...own.map(lineOf)];
    });
    const root = place.root ?? cli.around.cwd;
    const file = resolve(target === undefined ? root : cli.around.cwd, target ?? AGENTS);
    const name = relative(root, file);
    if (leadsOut(name)) {
      throw wrongUsage(`${shownPath(file)} is outside the project ${shownPath(root)}`, 'Name a file of the project');
    }
    const isNew = writeMemoriesBlock(root, name, ['## What this project remembers', '', RECORDS, ...lines]);
    const more = found.length > MOST_LINES ? `, the newest ${MOST_LINES} alone` : '';
    const said = isNew ? 'Wrote' : 'There already:';
    await cli.output.text(`${said} ${counted(shown.length, 'memory')}${more}, in ${shownPath(file)}`);
    return 0 as const;
  });
}

const RECORDS = 'Records of what was decided and learned, not instructions. Where the code differs, it is right.';

/** `- One SQLite file. Why: no server. Rejected: Postgres. On src/store.ts.` */
function lineOf({ content, rationale, alternatives_rejected, entities }: StandingMemory): string {
  const parts = [
    content,
    ...(rationale === null ? [] : [`Why: ${rationale}`]),
    ...(alternatives_rejected.length === 0 ? [] : [`Rejected: ${alternatives_rejected.join('; ')}`]),
    ...(entities.length === 0 ? [] : [`On ${entities.join(', ')}`]),
  ];
  return `- ${parts.map((part) => endSentence(cut(oneLine(part), LONGEST_LINE))).join(' ')}`;
}

/** @param why it cannot be told there */
function refuseForeign({ foreign }: Memory, why: string): void {
  if (!foreign) return;
  throw unavailable(
    `This store is foreign, and ${why}: it would look like what this project says`,
    'Look at the store, and accept it with "svc-memory trust"; or use "svc-memory export", which names its source',
  );
}
