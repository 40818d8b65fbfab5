/** Shares what a person stands behind, where the project says so. */
import { existsSync } from 'node:fs';
import { SvcError } from '../base/errors';
import { sharedReplacedBy } from '../memory/close-replaced';
import type { Memory } from '../memory/memory';
import { nodeDetails } from '../memory/people/node-details';
import { findSecret } from '../secrets/find-secret';
import { configFile, readConfig } from './config';
import type { Project } from './open';
import { moveIntoFiles, planFiles } from './share';
import { isAccepted } from './shared-memories';

/**
 * Puts memories that a person has just stored, confirmed or kept into files of the repository, as `share` in
 * `.svc/config.yaml` says. That file may have come with the folder: it counts only where this person has shared something
 * before, or accepted what others share. What takes the place of a shared memory is shared in any case, as that was. What
 * cannot be shared stays in the store.
 * @param ids of memories in the namespace of `memory`
 * @param wereProposed whether they waited until now: what they take the place of may have been shared meanwhile
 * @returns the path of each that was shared
 */
export async function shareByPolicy(
  project: Project,
  memory: Memory,
  ids: readonly string[],
  wereProposed = false,
): Promise<ReadonlyMap<string, string>> {
  const shared = new Map<string, string>();
  // Sharing is the act of a person.
  if (memory.holder().by !== 'person') return shared;
  const kinds = sharedKinds(project);
  if (!kinds && !wereProposed) return shared;
  for (const id of ids) {
    try {
      if (project.shared.has(id)) continue;
      const replaced = wereProposed ? await sharedReplacedBy(memory, id) : [];
      if (!kinds && replaced.length === 0) continue;
      const { kind, standing, valid_until } = await nodeDetails(memory, id);
      if (valid_until !== null || standing !== 'confirmed') continue;
      if (replaced.length === 0 && kinds === 'decisions' && kind !== 'decision') continue;
      const files = await planFiles(project, memory, [id], replaced);
      if (files.some(({ texts }) => texts.some((text) => findSecret(text)))) continue;
      await moveIntoFiles(project, files);
      for (const { node_id, path } of files) shared.set(node_id, path);
    } catch (error) {
      project.log(`a memory was not shared: ${error instanceof SvcError ? error.message : String(error)}`);
    }
  }
  if (shared.size > 0) await project.shared.refresh();
  return shared;
}

/** Undefined where nothing is shared by itself. */
function sharedKinds({ place, home, log, shared }: Project): 'decisions' | 'all' | undefined {
  const { root } = place;
  if (root === undefined || shared.folder === undefined || shared.foreign || !isAccepted(home, root)) return undefined;
  try {
    const { share } = readConfig(configFile(place, root, existsSync, home), []);
    return share === 'ask' ? undefined : share;
  } catch (error) {
    log(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
