/** Refuses to change what stands in a file. */
import { conflict } from '../base/errors';
import { parameter as named, phrase } from '../base/phrase';
import { shownId } from '../base/shown';
import { shownPath } from '../base/text';
import type { Memory } from './memory';

/**
 * A shared memory is changed by changing its file, as everything in a repository.
 * @throws SvcError conflict
 */
export function requireOwn({ shared }: Pick<Memory, 'shared'>, id: string | undefined, parameter: string): void {
  if (id === undefined || !shared.has(id)) return;
  throw conflict(
    phrase`${shownId(id)} given as ${named(parameter)} is shared: it stands in a file of the repository`,
    `Edit or remove ${shownPath(shared.fileOf(id) ?? 'its file')}; that counts from the next call on`,
  );
}
