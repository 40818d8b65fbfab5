import { describe, expect, it } from 'vitest';
import { type Stored, withShared } from '../support/shared';

const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id);

describe('a memory that was shared from this store', () => {
  it('hides nothing that is stored under the number of its row, when that was purged', () =>
    withShared(async (test) => {
      const store = async (content: string) =>
        (await test.ok<Stored>('memory_store', { content, kind: 'fact' })).node_id;
      const shared = await store('Webhooks are sent again');
      await test.ok('share', { node_ids: [shared] });
      await test.ok('memory_forget', { before: '2027-01-01', purge: true });
      const stored = [await store('Note one'), await store('Note two'), await store('Note three')];
      const listed = ids(await test.ok<{ id: string }[]>('nodes', { kinds: ['fact'] }));
      expect(listed.toSorted()).toEqual([shared, ...stored].toSorted());
    }));
});
