/** `memory_store`: stores one memory. */
import * as z from 'zod/v4';
import { timestamp } from '../base/clock';
import { keepTextsOf } from '../code/keep-texts';
import { KINDS_TOLD_APART, TOOL_SAYS } from '../guidance/sentences';
import type { Memory } from '../memory/memory';
import { namesAbout } from '../memory/names-about';
import { namespaceNumber } from '../memory/namespaces';
import { findNode } from '../memory/nodes';
import { matchEntities, type NewMemory, remember } from '../memory/remember';
import { moveScope } from '../memory/sessions/sessions';
import { findShared } from '../memory/similar/find-shared';
import { findSimilar } from '../memory/similar/find-similar';
import { readyToReplace, shareInPlaceOf } from '../project/share';
import { shareByPolicy } from '../project/share-policy';
import { defineTool } from './define-tool';
import {
  confidence,
  kind,
  names,
  namespace,
  nodeId,
  optionalNamespace,
  optionalTime,
  storedText,
  texts,
  time,
} from './input';
import { SIMILAR, withSimilar } from './similar';
import { UNRESOLVED, withUnresolved } from './unresolved';

const INPUT = z.strictObject({
  content: storedText('One self-contained statement'),
  kind: kind.describe(KINDS_TOLD_APART),
  entities: names(
    'What it is about: src/store.ts#open (function), src/store.ts (file), names of people and parts',
  ).optional(),
  confidence: confidence.default(1).describe('How sure you are'),
  valid_from: time('When it became true (ISO-8601); default now').optional(),
  supersedes: nodeId('Id of the memory that this one replaces; without entities it is about the same').optional(),
  session_id: nodeId('Default: the current session').optional(),
  rationale: storedText('Why').optional(),
  alternatives_rejected: texts('Options considered and dropped').optional(),
  namespace: namespace('Switch to this namespace first').optional(),
});

export const memoryStore = defineTool({
  name: 'memory_store',
  title: 'Store a memory',
  description: TOOL_SAYS.store,
  effect: 'write',
  positional: ['content'],
  stores: ['content', 'rationale', 'alternatives_rejected', 'entities', 'namespace'],
  input: INPUT,
  output: z.object({
    node_id: z.string(),
    linked_entity_ids: z.array(z.string()),
    created_entity_ids: z.array(z.string()),
    similar: SIMILAR.optional(),
    unresolved: UNRESOLVED.optional(),
    path: z.string().optional(),
    standing: z.literal('proposed').optional(),
  }),
  gather: async ({ memory, project }, input) => {
    const replaces = await readyToReplace(project, memory, input.supersedes);
    const asked = await newMemory(memory, input);
    const [{ matched, kept, unresolved }, there] = await Promise.all([
      matchEntities(memory, asked),
      findShared(memory, asked),
    ]);
    // Beside the transaction, which does not need it, and begins first: this process works while SQLite does.
    const similar = begun()
      .then(() => findSimilar(memory, asked, matched))
      .catch((error: unknown) => {
        project.log(`similar memories were not looked for: ${String(error)}`);
        return [];
      });
    return { asked, matched, kept, unresolved, similar, replaces, there };
  },
  run: async ({ memory }, input, { asked, matched, kept, unresolved, replaces, there }) => {
    if (there) {
      if (input.namespace !== undefined) moveScope(memory, input.namespace);
      return withUnresolved(there, unresolved);
    }
    // What takes the place of a shared memory is a new one in any case, and is shared as well.
    const valid_from = asked.valid_from ?? timestamp(memory.clock());
    const stored = replaces === undefined ? asked : { ...asked, supersedes: undefined, valid_from };
    return withUnresolved(await remember(memory, stored, matched, kept.links), unresolved);
  },
  settled: async (project, stored, { matched, kept, similar, replaces }) => {
    await keepTextsOf(project, [...[...matched.values()].flat(), ...kept.symbols]);
    // Who was told to remember it should not say that it is remembered.
    const waits = await isWaiting(project.memory, stored.node_id);
    const told = { ...withSimilar(stored, await similar), ...(waits ? { standing: 'proposed' as const } : {}) };
    const path =
      replaces === undefined
        ? (await shareByPolicy(project, project.memory, [stored.node_id])).get(stored.node_id)
        : await shareInPlaceOf(project, stored.node_id, replaces);
    return path === undefined ? told : { ...told, path };
  },
});

async function isWaiting({ sql, scope, keeping }: Memory, id: string): Promise<boolean> {
  if (!keeping().proposed) return false;
  const node = await findNode(sql, await namespaceNumber(sql, scope.namespace), id);
  return node?.standing === 'proposed';
}

/** When what is begun now waits for SQLite. */
function begun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function newMemory(memory: Memory, input: z.infer<typeof INPUT>): Promise<NewMemory> {
  const { supersedes, entities } = input;
  const namespace = optionalNamespace(input.namespace);
  // Who says in other words what is known has not changed what it is about. An empty list says that it is about nothing.
  const aboutTheSame = supersedes !== undefined && entities === undefined;
  return {
    content: input.content,
    kind: input.kind,
    entities: aboutTheSame ? await namesAbout(memory, supersedes, namespace) : (entities ?? []),
    aboutTheSame,
    confidence: input.confidence,
    valid_from: optionalTime(input.valid_from, 'valid_from'),
    supersedes,
    session_id: input.session_id,
    rationale: input.rationale,
    alternatives_rejected: input.alternatives_rejected ?? [],
    namespace,
  };
}
