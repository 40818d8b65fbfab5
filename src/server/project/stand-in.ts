/** An empty store, until the first write creates the real one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { STORE_NAME } from '../../store-place/locate';
import { storeExists, urlOf } from '../../store-place/store-place';
import { type OpenProject, openProject, type Project } from './open';

/** An empty store that is read until the real one is there. */
export interface StandIn {
  /** Undefined once the real store is there. */
  open(): Promise<Project | undefined>;
  close(): Promise<void>;
}

/**
 * For a store that the first write is to make: nothing is made in the project's folder by reading.
 * @param temporary the folder for temporary files
 */
export function standIn(options: OpenProject, temporary: string): StandIn {
  let folder: string | undefined;
  let opening: Promise<Project> | undefined;
  const openEmpty = async (): Promise<Project> => {
    folder = await mkdtemp(join(temporary, 'svc-memory-'));
    // It is outside the project on purpose.
    return openProject({
      ...options,
      place: { ...options.place, kind: 'named', url: urlOf(join(folder, STORE_NAME)) },
    });
  };
  return {
    async open() {
      if (storeExists(options.place)) return undefined;
      opening ??= openEmpty();
      return opening;
    },
    async close() {
      const project = await opening?.catch(() => undefined);
      await project?.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
