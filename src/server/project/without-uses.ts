/** A project that does not count uses. */
import type { Project } from './open';

/** Counts nothing: for a store that is not written. */
export const WITHOUT_USES: Project['uses'] = { note: () => {}, flush: async () => {} };

/** The same project for looking at answers that no agent gets: nothing is counted as used. */
export function withoutUses(project: Project): Project {
  return { ...project, uses: WITHOUT_USES };
}
