/** Opens the file of a code graph. */
import { openFile } from '../db/open-file';
import type { Store } from '../db/store';
import type { Identity } from '../db/store-id';
import { GRAPH_MIGRATIONS } from './migrations/index';

export const GRAPH_NAME = 'graph.db';

/** @throws SvcError unavailable when the file cannot be opened, is damaged, or is newer than us */
export function openGraph(path: string, create: boolean, identity?: Identity): Promise<Store> {
  return openFile({ path, migrations: GRAPH_MIGRATIONS, create, identity });
}
