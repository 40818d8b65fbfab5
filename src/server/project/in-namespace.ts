/** An opened project, as seen in another namespace. */
import type { Scope } from '../memory/memory';
import { checkNamespace } from '../memory/namespaces';
import type { Project } from './open';
import { writeWith } from './write';

export { DEFAULT_NAMESPACE } from '../memory/limits';

/**
 * The same opened project for one who works in another namespace: with a scope, and so an open session, of its own.
 * Closing is for the project that it was made from.
 * @throws SvcError invalid_input for a namespace that is no name
 */
export function inNamespace(project: Project, namespace: string): Project {
  const scope: Scope = { namespace: checkNamespace(namespace), session: undefined };
  const memory = { ...project.memory, scope };
  return {
    ...project,
    memory,
    write: writeWith(project, memory, scope),
  };
}
