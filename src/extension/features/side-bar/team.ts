/** What the team remembers, as rows above one's own. */
import * as vscode from 'vscode';
import type { TeamList } from '../../../protocol/tool-values';
import { kindIcon, kindName, markNames, shownTime } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import { teamLine, teamName } from '../../team-words';
import type { RowsOfFolder } from './folder-rows';
import { memoryTooltip } from './memory-row';
import { moreRow, newRow, noteRow, opensMemory, type Row } from './row';
import { PAGE, type Pages } from './row-tree';
import type { ViewState } from './view-state';

/** As many as the tool gives. */
const MOST = 200;
/** One's own memories stand below: of the team there are few at first. */
const FIRST = 10;
const MAX_PERSON = 20;

/** The row of the team stands first, and is folded: it is one line until somebody wants to see it. */
export function belowTeam(memories: Memories, pages: Pages, view: ViewState, own: RowsOfFolder): RowsOfFolder {
  return async (parent, place) => {
    // What is said of the team is known without asking it: the own rows wait for nobody's server.
    const [team, rows] = await Promise.all([teamRow(parent, memories, pages, view, place), own(parent, place)]);
    return team ? [team, ...rows] : rows;
  };
}

async function teamRow(
  parent: Row | undefined,
  memories: Memories,
  pages: Pages,
  view: ViewState,
  place: Place,
): Promise<Row | undefined> {
  const note = await memories.team(place).catch(() => null);
  if (!note) return undefined;
  const label = vscode.l10n.t('Team · {0}', teamName(note.address));
  const line = teamLine(note);
  const row = newRow(
    parent,
    {
      ...{ key: 'team', label, expanded: view.filter() !== '' },
      icon: new vscode.ThemeIcon(note.state === 'answers' ? 'organization' : 'debug-disconnect'),
      spoken: line ? `${label}, ${line.sentence}` : label,
      ...(line && line.state !== '' ? { description: line.state } : {}),
    },
    { children: (above) => teamMemories(above, memories, pages, view, place) },
  );
  row.item.tooltip = [plainLine(note.address), ...(line ? [line.sentence] : [])].join('\n');
  return row;
}

async function teamMemories(
  above: Row,
  memories: Memories,
  pages: Pages,
  view: ViewState,
  place: Place,
): Promise<Row[]> {
  const wanted = pages.shown(above.item.id) - PAGE + FIRST;
  const { kinds, letters } = view.asked();
  // One more than is shown tells whether there are more.
  const limit = Math.min(wanted + 1, MOST);
  const list = await memories.call<TeamList>(place, 'team', { kinds, letters, limit });
  if (list.address === null) return [];
  const line = teamLine(list);
  const notes = [
    ...(line && line.below !== '' ? [lineRow(above, line.below, line.sentence)] : []),
    ...(list.state === 'shut' ? [tokenRow(above)] : []),
  ];
  const rows = list.items.slice(0, wanted).map((memory) => teamMemoryRow(above, memories, place, memory));
  if (rows.length > 0) {
    const more = list.items.length > wanted ? [moreRow(above, () => pages.showMore(above.item.id))] : [];
    const others = vscode.l10n.t('Only {0} are listed. Use the filter to find the others.', MOST);
    return [...notes, ...rows, ...more, ...(rows.length < MOST ? [] : [noteRow(above, others)])];
  }
  if (list.state !== 'answers') return notes;
  const nothing =
    view.filter() === ''
      ? vscode.l10n.t('The team has stored nothing here yet.')
      : vscode.l10n.t('Nothing of the team matches.');
  return [...notes, noteRow(above, nothing)];
}

/** One calm line, which goes away by itself. */
function lineRow(above: Row, text: string, sentence: string): Row {
  const row = noteRow(above, text);
  row.item.tooltip = sentence;
  row.item.accessibilityInformation = { label: sentence };
  return row;
}

/** Who is not let in can give another token. */
function tokenRow(above: Row): Row {
  const label = vscode.l10n.t('Give Another Token…');
  return newRow(above, {
    ...{ key: 'token', label, icon: new vscode.ThemeIcon('key') },
    command: { command: 'agentMemory.useTeam', title: label },
  });
}

function teamMemoryRow(above: Row, memories: Memories, place: Place, memory: TeamList['items'][number]): Row {
  const label = plainLine(memory.content);
  const by = plainLine(memory.by, MAX_PERSON);
  // That it is the team's, the row above says.
  const marks = markNames({ marks: (memory.marks ?? []).filter((mark) => mark !== 'team') });
  const notes = [...marks, ...(by === '' ? [] : [by]), shownTime(memory.recorded_at)];
  return newRow(
    above,
    {
      ...{ key: memory.id, label, description: notes.join(' · '), icon: kindIcon(memory.kind) },
      spoken: [kindName(memory.kind), vscode.l10n.t('team'), label, ...notes].join(', '),
      ...{ context: 'memory.team', command: opensMemory(place, memory.id) },
    },
    {
      subject: { place, type: 'memory', nodeId: memory.id },
      tooltip: async () => memoryTooltip(await memories.call(place, 'node', { id: memory.id })),
    },
  );
}
