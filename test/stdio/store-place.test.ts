import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, test } from 'vitest';
import { type ConnectedServer, connectServer, type Place, withPlace, withServer } from '../support/stdio-client';

const remember = (server: ConnectedServer, content: string) => server.text('memory_store', { content, kind: 'fact' });

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A folder with a store of its own, that is not the server's working directory. */
async function otherProject(place: Place): Promise<string> {
  const folder = join(place.folder, '..', 'other');
  await mkdir(join(folder, '.svc'), { recursive: true });
  await writeFile(join(folder, '.svc', 'memory.db'), '');
  return realpath(folder);
}

/** A client that has these folders open, or that never answers when asked for them. */
function withRoots(folders: readonly string[] | 'no answer') {
  return {
    capabilities: { roots: {} },
    prepare: (client: ConnectedServer['client']) =>
      client.setRequestHandler(ListRootsRequestSchema, async () => {
        if (folders === 'no answer') return delay(60_000, { roots: [] }, { ref: false });
        return { roots: folders.map((folder) => ({ uri: pathToFileURL(folder).href })) };
      }),
  };
}

describe('the store', () => {
  test('is the one of the project around the working directory', () =>
    withServer(
      async (server) => {
        await remember(server, 'It is here.');
        expect((await stat(join(server.folder, '.svc', 'memory.db'))).size).toBeGreaterThan(0);
        expect(await exists(join(server.home, '.svc', 'memory.db'))).toBe(false);
      },
      { files: { '.svc/memory.db': '' } },
    ));

  test('is the one in the home directory when there is no project', () =>
    withServer(async (server) => {
      await remember(server, 'It is at home.');
      expect(await exists(join(server.home, '.svc', 'memory.db'))).toBe(true);
      expect(await exists(join(server.folder, '.svc'))).toBe(false);
    }));

  test('is the one that SVC_MEMORY_DB names, and SVC_NAMESPACE the namespace to begin in', () =>
    withPlace({}, async (place) => {
      const file = join(place.folder, 'data', 'mine.db');
      const server = await connectServer(place, { env: { SVC_MEMORY_DB: file, SVC_NAMESPACE: 'red' } });
      await remember(server, 'It is elsewhere.');
      expect(await exists(file)).toBe(true);
      expect(await server.value('memory_switch_namespace', { namespace: 'default' })).toEqual({
        previous_namespace: 'red',
        active_namespace: 'default',
      });
      await server.close();
    }));

  test('that an editor names is made by the first write, not by reading', () =>
    withPlace({}, async (place) => {
      const file = join(place.folder, '.svc', 'memory.db');
      const temporary = join(place.home, 'temporary');
      await mkdir(temporary);
      const server = await connectServer(place, {
        env: { SVC_MEMORY_DB: file, SVC_CREATE_STORE: 'on-write', SVC_STORE_FROM: 'editor', TMPDIR: temporary },
      });
      expect(await server.text('memory_recall', { query: 'project context' })).toContain('0 items');
      expect(await server.text('memory_recall', { query: 'anything' })).toContain('0 items');
      expect((await server.client.listResources()).resources).toHaveLength(1);
      expect(await exists(join(place.folder, '.svc'))).toBe(false);
      await remember(server, 'It is here now.');
      expect(await exists(file)).toBe(true);
      expect(await server.text('memory_recall', { query: 'here' })).toContain('It is here now.');
      await server.close();
      expect((await readdir(temporary)).filter((name) => name.startsWith('svc-'))).toEqual([]);
    }));

  test('that another process made meanwhile is read at once', () =>
    withPlace({}, async (place) => {
      const env = { SVC_MEMORY_DB: join(place.folder, '.svc', 'memory.db') };
      const reader = await connectServer(place, { env: { ...env, SVC_CREATE_STORE: 'on-write' } });
      expect(await reader.text('memory_recall', { query: 'other' })).toContain('0 items');
      const writer = await connectServer(place, { env });
      await remember(writer, 'The other one made it.');
      expect(await reader.text('memory_recall', { query: 'other' })).toContain('The other one made it.');
      await Promise.all([reader.close(), writer.close()]);
    }));

  test('is the one of the first folder that the client has open, when the working directory is in none', () =>
    withPlace({}, async (place) => {
      const other = await otherProject(place);
      const server = await connectServer(place, withRoots([other]));
      await remember(server, 'It is where the editor is.');
      expect((await stat(join(other, '.svc', 'memory.db'))).size).toBeGreaterThan(0);
      await server.close();
    }));

  test('is the one around the working directory when that lies in a folder that the client has open', () =>
    withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
      const other = await otherProject(place);
      const server = await connectServer(place, withRoots([other, place.folder]));
      await remember(server, 'It is here.');
      expect((await stat(join(other, '.svc', 'memory.db'))).size).toBe(0);
      expect((await stat(join(place.folder, '.svc', 'memory.db'))).size).toBeGreaterThan(0);
      await server.close();
    }));

  test('is found without the roots of a client that does not answer', () =>
    withPlace({}, async (place) => {
      const server = await connectServer(place, withRoots('no answer'));
      await remember(server, 'It is at home.');
      expect(await exists(join(place.home, '.svc', 'memory.db'))).toBe(true);
      await server.close();
    }));
});

describe('a store that cannot be opened', () => {
  test('is an answer to each call, and the next call tries again', () =>
    withPlace({}, async (place) => {
      // A file where the folder should be: that stops the superuser, too.
      const blocked = join(place.folder, 'blocked');
      await writeFile(blocked, '');
      const server = await connectServer(place, { env: { SVC_MEMORY_DB: join(blocked, 'memory.db') } });
      for (const query of ['first', 'second']) {
        expect(await server.refusal('memory_recall', { query })).toMatch(/^unavailable: .*SVC_MEMORY_DB/);
      }
      await rm(blocked);
      expect(await server.text('memory_recall', { query: 'third' })).toContain('0 items');
      await server.close();
    }));

  test('is an error of the protocol where a resource or a prompt needs it, and leaves lists short', () =>
    withServer(
      async ({ client }) => {
        const unavailable = { code: -32603, message: expect.stringContaining('unavailable: ') };
        const { resources } = await client.listResources();
        expect(resources.map(({ uri }) => uri)).toEqual(['svc-memory://briefing']);
        await expect(client.readResource({ uri: 'svc-memory://briefing' })).rejects.toMatchObject(unavailable);
        await expect(client.getPrompt({ name: 'brief' })).rejects.toMatchObject(unavailable);
        const { completion } = await client.complete({
          ref: { type: 'ref/prompt', name: 'brief' },
          argument: { name: 'topic', value: 'a' },
        });
        expect(completion.values).toEqual([]);
      },
      { files: { '.svc/memory.db': 'not a database '.padEnd(2000, '.') } },
    ));

  test('because it is no database is left as it is', () =>
    withServer(
      async (server) => {
        expect(await server.refusal('memory_store', { content: 'A fact.', kind: 'fact' })).toMatch(
          /^unavailable: .*not a SQLite database/,
        );
        expect((await stat(join(server.folder, '.svc', 'memory.db'))).size).toBe(2000);
      },
      { files: { '.svc/memory.db': 'not a database '.padEnd(2000, '.') } },
    ));
});

describe('several servers on one store', () => {
  test('lose nothing and see what the others wrote', () =>
    withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
      const servers = await Promise.all([connectServer(place), connectServer(place), connectServer(place)]);
      await Promise.all(
        servers.flatMap((server, s) =>
          Array.from({ length: 40 }, (_, i) => remember(server, `Server ${s} learned fact ${i}.`)),
        ),
      );
      for (const server of servers) {
        const { kind_counts } = await server.value<{ kind_counts: Record<string, number> }>('memory_stats');
        expect(kind_counts).toMatchObject({ fact: 120, session: 3 });
      }
      await Promise.all(servers.map((server) => server.close()));
    }));

  test('keep a session and a namespace each', () =>
    withPlace({ files: { '.svc/memory.db': '' } }, async (place) => {
      const [one, two] = await Promise.all([connectServer(place), connectServer(place)]);
      const first = await one.value<{ session_id: string }>('memory_start_session', { name: 'One' });
      const second = await two.value<{ session_id: string }>('memory_start_session', { name: 'Two' });
      expect(second.session_id).not.toBe(first.session_id);
      await two.call('memory_switch_namespace', { namespace: 'two' });
      await remember(one, 'Only one knows.');
      expect(await two.text('memory_recall', { query: 'knows' })).toContain('0 items');
      await Promise.all([one.close(), two.close()]);
    }));
});
