/** `memory_forget`: hides memories, or deletes them for good. */
import * as z from 'zod/v4';
import { conflict, invalidInput } from '../base/errors';
import { bareParameter, parameter, phrase, tool } from '../base/phrase';
import { shownId } from '../base/shown';
import { forget } from '../memory/forget';
import { forgetShared } from '../project/edit-shared';
import { noteAlong } from '../project/shared-edits';
import { isBesideFile } from './beside-file';
import { defineTool } from './define-tool';
import { eraseOf } from './erase-of';
import { forgotten, nodeId, optionalTime, text, time } from './input';

export const memoryForget = defineTool({
  name: 'memory_forget',
  title: 'Forget memories',
  description: 'Hide memories from recall, or delete them for good. Give at least one selector; several add up.',
  effect: 'destroy',
  idempotent: true,
  positional: ['node_id'],
  input: z.strictObject({
    node_id: nodeId('One memory').optional(),
    entity: text('All memories about it').optional(),
    before: time('All recorded before (ISO-8601)').optional(),
    purge: z.boolean().default(false).describe('Delete for good'),
  }),
  output: forgotten,
  gather: async ({ memory, project }, { node_id, purge }) => {
    if (node_id === undefined || !memory.shared.has(node_id)) return undefined;
    if (purge) {
      throw conflict(
        phrase`${shownId(node_id)} given as ${parameter('node_id')} is shared, and Git keeps what a file held`,
        phrase`Forget it without ${bareParameter('purge')}: that removes its file`,
      );
    }
    return forgetShared(project, memory, node_id);
  },
  run: async ({ memory }, { node_id, entity, before, purge }, removed) => {
    if (node_id === undefined && entity === undefined && before === undefined) {
      throw invalidInput(
        phrase`${tool('memory_forget')} was called without a selector`,
        phrase`Give ${bareParameter('node_id')}, ${bareParameter('entity')} or ${bareParameter('before')}`,
      );
    }
    const isBeside = removed !== undefined && node_id !== undefined && (await isBesideFile(memory, node_id));
    const own = { node_id: removed && !isBeside ? undefined : node_id, entity, before: optionalTime(before, 'before') };
    const forgotten = await forget(memory, own, purge);
    if (!removed || node_id === undefined) return forgotten;
    const ids = [...new Set([node_id, ...forgotten.ids])];
    const left = forgotten.shared_ids?.filter((id) => id !== node_id) ?? [];
    return {
      ...{ count: ids.length, mode: forgotten.mode, ids, path: removed.path },
      ...(left.length === 0 ? {} : { shared_ids: left }),
    };
  },
  settled: async (project, forgotten, removed, operation) => {
    if (removed) await noteAlong(project, removed.path, operation);
    return eraseOf(project, forgotten);
  },
});
