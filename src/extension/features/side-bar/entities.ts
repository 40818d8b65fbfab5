/** The rows of the view Entities. */
import type { ListedEntity } from '../../../protocol/tool-values';
import { counted, kindIcon } from '../../kinds';
import type { Memories, Place } from '../../memories';
import { plainLine } from '../../stored-text';
import type { Doubts } from '../doubts';
import type { RowsOfFolder } from './folder-rows';
import { longList } from './long-list';
import { memoryList } from './memory-list';
import { newRow, type Row } from './row';
import type { Pages } from './row-tree';
import type { ViewState } from './view-state';

/** What things are called, those that most is known about first; below each, what is known. */
export function entityRows(memories: Memories, doubts: Doubts, pages: Pages, view: ViewState): RowsOfFolder {
  return (parent, place) =>
    longList(
      parent,
      pages,
      (limit) => memories.call<ListedEntity[]>(place, 'entities', { letters: view.asked().letters, limit }),
      (entities) => entities.map((entity) => entityRow(parent, entity, place, memories, doubts, pages, view)),
    );
}

function entityRow(
  parent: Row | undefined,
  { id, content, degree, aliases }: ListedEntity,
  place: Place,
  memories: Memories,
  doubts: Doubts,
  pages: Pages,
  view: ViewState,
): Row {
  const label = plainLine(content);
  const others = aliases.map((name) => plainLine(name));
  return newRow(
    parent,
    {
      key: id,
      label,
      description: [String(degree), ...others].join(' · '),
      spoken: [label, counted.memories(degree), ...others].join(', '),
      icon: kindIcon('entity'),
      context: 'entity',
    },
    {
      subject: { place, type: 'entity', nodeId: id },
      children: (above) => {
        const filter = { entity_id: id, closed: view.closed() };
        return memoryList(above, memories, pages, place, filter, doubts.known(place));
      },
    },
  );
}
