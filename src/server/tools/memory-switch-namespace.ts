/** `memory_switch_namespace`: goes to another namespace. */
import * as z from 'zod/v4';
import { checkNamespace } from '../memory/namespaces';
import { defineTool } from './define-tool';
import { namespace } from './input';

export const memorySwitchNamespace = defineTool({
  name: 'memory_switch_namespace',
  title: 'Switch namespace',
  description: 'Read and write another, fully isolated namespace from now on.',
  effect: 'write',
  idempotent: true,
  positional: ['namespace'],
  stores: ['namespace'],
  input: z.strictObject({ namespace: namespace('"default" returns to the default') }),
  output: z.object({ previous_namespace: z.string(), active_namespace: z.string() }),
  run: async ({ memory: { scope } }, input) => {
    const previous_namespace = scope.namespace;
    scope.namespace = checkNamespace(input.namespace);
    scope.session = undefined;
    scope.ended = undefined;
    return { previous_namespace, active_namespace: scope.namespace };
  },
});
