/** `link`: a person puts a memory on code. */
import * as z from 'zod/v4';
import { invalidInput, unavailable } from '../base/errors';
import { parameter, phrase } from '../base/phrase';
import { quoted } from '../base/text';
import { keepTextsOf } from '../code/keep-texts';
import { putOnCode } from '../memory/code/put-on-code';
import type { Unresolved } from '../memory/code/touches';
import type { Memory } from '../memory/memory';
import { elsewhere } from '../memory/other-namespace';
import { matchEntities } from '../memory/remember';
import { putSharedOnCode } from '../project/edit-shared';
import { defineTool } from './define-tool';
import { namespace, nodeId } from './input';

export const link = defineTool({
  name: 'link',
  title: 'Put a memory on code',
  description:
    'Makes a memory be about a function or a file as well. Its author, its time and its text stay as they are. Can be undone.',
  audience: 'human',
  effect: 'write',
  positional: ['node_id', 'code'],
  stores: ['code', 'namespace'],
  input: z.strictObject({
    node_id: nodeId('Id of an open memory'),
    code: namespace('src/store.ts#open (function) or src/store.ts (file)'),
    namespace: namespace('Where it lies; default: the active one').optional(),
  }),
  output: z.object({
    node_id: z.string(),
    linked: z.int(),
    operation: z.int().nullable(),
    path: z.string().optional(),
  }),
  gather: async ({ memory, project }, { node_id, code, namespace: named }) => {
    const there = elsewhere(memory, named);
    const { unavailable: none } = memory.code;
    if (none) throw unavailable(none.problem, none.remedy);
    const { matched, unresolved } = await matchEntities(there, { entities: [code], namespace: there.scope.namespace });
    if (matched.size === 0) await requireFile(memory, code, unresolved);
    const shared = memory.shared.has(node_id)
      ? await putSharedOnCode(project, there, node_id, code, matched)
      : undefined;
    return { matched, shared };
  },
  run: async ({ memory }, { node_id, code, namespace: named }, { matched, shared }) =>
    shared ?? putOnCode(elsewhere(memory, named), { node_id, code }, matched),
  settled: async (project, done, { matched }) => {
    await keepTextsOf(project, [...matched.values()].flat());
    return done;
  },
});

/** Files of languages that the code graph does not read are named all the same. @throws SvcError invalid_input */
async function requireFile({ code: index }: Memory, code: string, unresolved: readonly Unresolved[]): Promise<void> {
  const [path = ''] = code.split('#');
  if (unresolved.length === 0 && (await index.modifiedAt(index.relativePath(path))) !== undefined) return;
  const nearest = unresolved.flatMap((one) => one.nearest);
  throw invalidInput(
    phrase`${quoted(code)} given as ${parameter('code')} is no code that is known here`,
    nearest.length === 0
      ? 'Give the path of a source file, or path#function. "svc build" reads the code'
      : `Did you mean ${nearest.map((one) => quoted(one)).join(' or ')}?`,
  );
}
