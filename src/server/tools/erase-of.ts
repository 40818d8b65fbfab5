/** What a tool that deletes for good says of the copies that held it, once the erase is done. */
import type * as z from 'zod/v4';
import { finishErase } from '../project/erase';
import { eraseKept } from '../project/kept-edits';
import type { Project } from '../project/open';
import type { forgotten } from './input';

type Forgotten = z.infer<typeof forgotten>;

/** What a purge cannot promise where the store is in a server of databases. */
const REMAINS =
  'Gone from every answer. The text may stay in the log and the copies of the database until the operator of the server runs "svc-memory admin erase"';

/** What comes after a purge: nothing of it stays in the log, and backups that hold it go. */
export async function eraseOf(project: Project, output: Forgotten): Promise<Forgotten> {
  if (output.mode !== 'purge') return output;
  await eraseKept(project, output.ids);
  const removed = await finishErase(project);
  return {
    ...output,
    ...(removed === 0 ? {} : { removed_backups: removed }),
    ...(project.store.keepsDeleted && output.count > 0 ? { remains: REMAINS } : {}),
  };
}
