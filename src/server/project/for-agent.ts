/** An opened project, as an agent of the same program uses it. */
import type { Holder, Scope } from '../memory/memory';
import type { ReadKeeping } from './keeping';
import type { Project } from './open';
import { writeWith } from './write';

/**
 * The same opened project for an agent that calls through a person's program: what it stores is its own, in a session of its
 * own, and is kept as the person wants what agents store to be kept. Closing is for the project that it was made from.
 */
export function forAgent(project: Project, holder: () => Holder, { keep, keeping }: ReadKeeping): Project {
  const scope: Scope = { namespace: project.memory.scope.namespace, session: undefined };
  const memory = { ...project.memory, scope, holder, keeping };
  return { ...project, memory, keep, write: writeWith(project, memory, scope) };
}
