import * as vscode from 'vscode';
import type { ListedEntity } from '../../../protocol/tool-values';
import { kindIcon } from '../../kinds';
import type { Memories } from '../../memories';
import { plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import type { RowsOfFolder } from './folder-rows';
import { memoryList } from './memory-list';
import { moreRow, newRow, noteRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { ViewState } from './view-state';

/** The longest list of entities; the filter finds the others. */
const LONGEST_LIST = 1_000;

/** What things are called, those that most is known about first; below each, what is known. */
export function entityRows(memories: Memories, doubts: Doubts, pages: Pages, view: ViewState): RowsOfFolder {
  return async (parent, place) => {
    const list = parent?.item.id ?? '';
    const wanted = Math.min(pages.shown(list), LONGEST_LIST);
    const limit = Math.min(wanted + 1, LONGEST_LIST);
    const found = await memories.call<ListedEntity[]>(place, 'entities', { letters: view.filter(), limit });
    const rows = found.slice(0, wanted).map((entity) => {
      const aliases = entity.aliases.map((name) => plainLine(name));
      const row: Row = newRow(
        parent,
        {
          key: entity.id,
          label: plainLine(entity.content),
          // Superseded and forgotten ones are counted, so it says no more than a number.
          description: [String(entity.degree), ...aliases].join(' · '),
          spoken: [entity.content, vscode.l10n.t('{0} links', entity.degree), ...aliases]
            .map((text) => plainLine(text))
            .join(', '),
          icon: kindIcon('entity'),
          context: 'entity',
        },
        {
          subject: { place, type: 'entity', nodeId: entity.id },
          children: async () => {
            const filter = { entity_id: entity.id, closed: view.closed() };
            const below = await memoryList(row, memories, pages, place, filter, doubts.known(place));
            return below.length > 0 ? below : [noteRow(row, vscode.l10n.t('Nothing that is true now.'))];
          },
        },
      );
      return row;
    });
    if (found.length > wanted) return [...rows, moreRow(parent, () => pages.showMore(list))];
    if (wanted < LONGEST_LIST) return rows;
    return [...rows, noteRow(parent, vscode.l10n.t('Only {0} are listed. The filter finds the others.', wanted))];
  };
}
