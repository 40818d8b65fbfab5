import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { withCommandLine } from '../support/command-line';
import { connectServer } from '../support/stdio-client';

describe('the setting that says what becomes of what agents store', () => {
  it.each([
    [undefined, undefined, 'stored'],
    ['propose', undefined, 'proposed'],
    [undefined, 'keep: propose\n', 'proposed'],
    ['propose', 'keep: keep\n', 'proposed'],
    ['ask', undefined, 'proposed'],
    ['prpose', undefined, 'proposed'],
    [undefined, 'keep: prpose\n', 'proposed'],
    [undefined, 'keep: [\n', 'proposed'],
  ])('SVC_KEEP=%s with config.yaml %j leaves a memory %s', (setting, config, standing) =>
    withCommandLine(async (place) => {
      await place.ok('init');
      if (config !== undefined) await writeFile(join(place.folder, '.svc', 'config.yaml'), config);
      const server = await connectServer(place, { env: setting === undefined ? {} : { SVC_KEEP: setting } });
      try {
        const { node_id } = await server.value<{ node_id: string }>('memory_store', { content: 'One', kind: 'fact' });
        expect(await place.json('node', node_id)).toMatchObject({ standing });
      } finally {
        await server.close();
      }
    }),
  );
});

describe('a client that can ask its user', () => {
  it.each([
    [{ action: 'accept', content: { answer: 'keep' } }, 'stored'],
    [{ action: 'accept', content: { answer: 'later' } }, 'proposed'],
    [{ action: 'cancel' }, 'proposed'],
  ] as const)('is asked with "ask", and %j leaves the memory %s', (answer, standing) =>
    withCommandLine(async (place) => {
      await place.ok('init');
      let asked = '';
      const server = await connectServer(place, {
        env: { SVC_KEEP: 'ask' },
        capabilities: { elicitation: { form: {} } },
        prepare: (client) =>
          client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
            asked = params.message;
            return { ...answer };
          }),
      });
      try {
        const content = 'The port\nis 8080';
        const { node_id } = await server.value<{ node_id: string }>('memory_store', { content, kind: 'fact' });
        expect(asked).toBe('Remember this? “The port is 8080”');
        expect(await place.json('node', node_id)).toMatchObject({ standing });
      } finally {
        await server.close();
      }
    }),
  );

  it('stores nothing that the user does not want', () =>
    withCommandLine(async (place) => {
      await place.ok('init');
      const server = await connectServer(place, {
        env: { SVC_KEEP: 'ask' },
        capabilities: { elicitation: { form: {} } },
        prepare: (client) => client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' })),
      });
      try {
        expect(await server.refusal('memory_store', { content: 'x', kind: 'fact' })).toContain(
          'conflict: Your user does not want this to be remembered.',
        );
        expect(await place.json<unknown[]>('nodes')).toEqual([]);
      } finally {
        await server.close();
      }
    }));
});
