import { describe, expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { beforeLeases } from '../support/older-store';
import { connectServer } from '../support/stdio-client';

interface Page {
  readonly standing: string;
  readonly origin: { readonly kind: string; readonly name: string };
}

describe('a store of a program that kept no origins', () => {
  it('takes them from the clients that were recorded, confirms nothing, and keeps what can be undone', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      const server = await connectServer(place, { clientName: 'claude-code' });
      const { node_id: ofAgent } = await server.value<{ node_id: string }>('memory_store', {
        content: 'One',
        kind: 'fact',
      });
      await server.close();
      const { node_id: ofLine } = await place.json<{ node_id: string }>('store', 'Two', '--kind', 'fact');
      await place.ok('verify', ofLine, 'refute');
      await beforeLeases(place.path('.svc', 'memory.db'));
      expect(await place.json<Page>('node', ofAgent)).toMatchObject({
        ...{ standing: 'stored', origin: { kind: 'agent', name: 'claude-code' } },
      });
      expect(await place.json<Page>('node', ofLine)).toMatchObject({
        ...{ standing: 'stored', origin: { kind: 'person', name: 'cli' } },
      });
      await place.ok('undo');
      expect(await place.json('node', ofLine)).toMatchObject({ valid_until: null, confidence: 1 });
    }));
});
