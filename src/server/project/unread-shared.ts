/** The file of a shared memory that cannot be read, as in the middle of a merge. */
import { readFile } from '../shared/scan-folder';
import { FIELDS } from '../shared/shared-memory';
import type { Project } from './open';
import type { UnreadFile } from './shared-memories';

/** In characters: what is shorter stands in other names, too. */
const SHORTEST = 6;

/** That has the id of a memory in its name, as what we wrote, or at its top. */
export function unreadFileOf({ shared, place }: Project, id: string): UnreadFile | undefined {
  const { root } = place;
  if (root === undefined || shared.foreign) return undefined;
  const suffix = id.slice(id.indexOf('_') + 1);
  return shared.unread.find(({ path }) => {
    if (suffix.length >= SHORTEST && path.includes(suffix)) return true;
    const read = readFile(root, root, path);
    return 'text' in read && read.text.split('\n').some((line) => line === `${FIELDS.id}: ${id}`);
  });
}
