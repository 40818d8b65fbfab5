/** A handle for another namespace than the active one. */
import type { Memory } from './memory';
import { checkNamespace } from './namespaces';

/**
 * The handle for another namespace than the active one, which stays active.
 * @throws SvcError invalid_input for a namespace that is no name
 */
export function elsewhere<Handle extends Memory>(memory: Handle, namespace: string | undefined): Handle {
  if (namespace === undefined) return memory;
  return { ...memory, scope: { namespace: checkNamespace(namespace), session: undefined } };
}
