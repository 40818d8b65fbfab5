/** Shares what a person stands behind, where the project says so. */
import { existsSync } from 'node:fs';
import { SvcError } from '../base/errors';
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
 * before, or accepted what others share. What cannot be shared stays in the store.
 * @param ids of memories in the namespace of `memory`
 * @returns the path of each that was shared
 */
export async function shareByPolicy(
  project: Project,
  memory: Memory,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const shared = new Map<string, string>();
  // Sharing is the act of a person.
  const kinds = memory.holder().by === 'person' ? sharedKinds(project) : undefined;
  if (!kinds) return shared;
  for (const id of ids) {
    try {
      if (project.shared.has(id) || !(await standsFor(memory, id, kinds))) continue;
      const files = await planFiles(project, memory, [id]);
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

async function standsFor(memory: Memory, id: string, kinds: 'decisions' | 'all'): Promise<boolean> {
  const { kind, standing, valid_until } = await nodeDetails(memory, id);
  return valid_until === null && standing === 'confirmed' && (kinds === 'all' || kind === 'decision');
}
