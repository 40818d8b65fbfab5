/** `memory_import`: stores many memories at once. */
import * as z from 'zod/v4';
import { NODE_KINDS } from '../../kinds/kinds';
import type { BroughtSources, ImportedFile } from '../memory/transfer/import-arrival';
import type { ImportOptions } from '../memory/transfer/import-plan';
import { dropStaged, prepareImport, publishImport } from '../memory/transfer/staged-import';
import { defineTool, type Tool } from './define-tool';
import { refusedObjects } from './refused-objects';
import { UNRESOLVED, withUnresolved } from './unresolved';

/** What agents read of an object. It is checked one by one, so that a bad one does not refuse the others. */
const OBJECT = {
  type: 'object',
  properties: {
    content: { type: 'string' },
    kind: { type: 'string', enum: [...NODE_KINDS] },
    entities: { type: 'array', items: { type: 'string' } },
    confidence: { type: 'number' },
    valid_from: { type: 'string' },
    rationale: { type: 'string' },
    alternatives_rejected: { type: 'array', items: { type: 'string' } },
    session_id: { type: 'string' },
    standing: { type: 'string', enum: ['stored', 'proposed'] },
  },
  required: ['content', 'kind'],
} as const;

/**
 * For agents: all of it goes to the active namespace, because nothing that a message says lets an agent write into
 * another one.
 */
export const memoryImport = importTool({ namespaces: 'active', file: undefined });

/** The same for a person, who has chosen the file: an export comes back into the namespaces that it is from. */
export function importOfFile(file: ImportedFile): Tool {
  return importTool({ namespaces: 'own', file });
}

/** What is brought from the notes of a project: into the active namespace, and all of it waits for a person. */
export function importOfSources(sources: BroughtSources): Tool {
  return importTool({ namespaces: 'active', file: sources });
}

function importTool(from: Pick<ImportOptions, 'namespaces' | 'file'>): Tool {
  return defineTool({
    name: 'memory_import',
    title: 'Import memories',
    description:
      'Store many memories in the active namespace at once, or load an export. Bad objects are reported, good ones are kept.',
    effect: 'write',
    input: z.strictObject({
      nodes: z
        .unknown()
        .refine((nodes) => listOf(nodes) !== undefined, 'must be a list of objects, or an export {nodes, edges}')
        .meta({ type: 'array', items: OBJECT, description: 'Memories, or the nodes of an export' }),
      edges: z.unknown().optional().meta({ unlisted: true, description: 'Ignored: rebuilt from the nodes' }),
    }),
    output: z.object({
      imported: z.int(),
      node_ids: z.array(z.string()),
      created_entity_ids: z.array(z.string()),
      errors: z.array(z.object({ index: z.int(), message: z.string() })),
      unresolved: UNRESOLVED.optional(),
    }),
    // Its objects are looked at one by one, so that a bad one does not refuse the others.
    stores: [],
    gather: async ({ memory, project, progress, signal, allowSecret }, input) => {
      await project.beforeWrite();
      const nodes = listOf(input.nodes) ?? [];
      const refused = allowSecret ? new Map<number, string>() : await refusedObjects(nodes, signal);
      const prepared = await prepareImport(memory, project.store, nodes, { ...from, refused, progress, signal });
      return { ...prepared, refused };
    },
    run: async ({ memory, progress, signal }, input, prepared) =>
      withUnresolved(
        await publishImport(memory, prepared, listOf(input.nodes) ?? [], {
          ...{ ...from, progress, signal },
          refused: prepared.refused,
        }),
        prepared.unresolved,
      ),
    tidyUp: async (project, { staged }) => {
      if (staged) await dropStaged(project.store, staged);
    },
  });
}

/** The objects of a list, or of an export given in its place. */
function listOf(nodes: unknown): readonly unknown[] | undefined {
  if (Array.isArray(nodes)) return nodes;
  if (typeof nodes === 'object' && nodes !== null && 'nodes' in nodes && Array.isArray(nodes.nodes)) return nodes.nodes;
  return undefined;
}
