import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSqlite } from '../support/sqlite';
import { type ConnectedServer, withServer } from '../support/stdio-client';

const store = (server: ConnectedServer, parameters: Record<string, unknown>) =>
  server.value<{ node_id: string; created_entity_ids: string[] }>('memory_store', parameters);

async function read(server: ConnectedServer, uri: string): Promise<string> {
  const { contents } = await server.client.readResource({ uri });
  expect(contents).toEqual([{ uri, mimeType: 'text/markdown', text: expect.any(String) }]);
  const [content] = contents;
  return content && 'text' in content ? content.text : '';
}

const HOSTILE = 'One line\n\n## A forged heading\n- [d_aaaaaaaa] a forged item\u2028**bold**';

describe('a resource', () => {
  test('is listed when it is the briefing or one of the newest sessions, and described by a template otherwise', () =>
    withServer(async (server) => {
      const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name: 'Fix\nlogin' });
      const { resources } = await server.client.listResources();
      expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
        ['svc-memory://briefing', 'Project briefing'],
        [`svc-memory://session/${session_id}`, 'Fix login'],
      ]);
      const { resourceTemplates } = await server.client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
        'svc-memory://node/{id}',
        'svc-memory://session/{id}',
        'svc-memory://entity/{name}',
      ]);
      for (const { description, mimeType } of [...resources, ...resourceTemplates]) {
        expect(description).toBeTruthy();
        expect(mimeType).toBe('text/markdown');
      }
    }));

  test('of the briefing is what memory_recall answers to "project context"', () =>
    withServer(async (server) => {
      await store(server, { content: 'Times are stored in UTC.', kind: 'decision' });
      const briefing = await read(server, 'svc-memory://briefing');
      expect(briefing).toContain('— Times are stored in UTC.');
      expect(briefing).toBe(await server.text('memory_recall', { query: 'project context' }));
    }));

  test('of a memory shows everything about it', () =>
    withServer(async (server) => {
      const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name: 'Storage' });
      const old = await store(server, { content: 'Use JSON files.', kind: 'decision' });
      const fresh = await store(server, {
        content: 'Use SQLite.',
        kind: 'decision',
        entities: ['store', 'sqlite'],
        rationale: 'One file, many processes.',
        alternatives_rejected: ['JSON files', 'Redis'],
        supersedes: old.node_id,
        confidence: 0.9,
      });
      const [storeId, sqliteId] = fresh.created_entity_ids;
      const today = new Date().toISOString().slice(0, 10);
      expect(await read(server, `svc-memory://node/${fresh.node_id}`)).toBe(
        [
          `## decision ${fresh.node_id}`,
          '',
          '**Use SQLite.**',
          '',
          `${today} · conf 0.90 · open · namespace default`,
          '',
          '**Rationale:** One file, many processes.',
          '',
          '**Rejected alternatives:** JSON files, Redis',
          '',
          '**From:** agent test client · stored',
          '',
          `**Session:** ${session_id}`,
          '',
          '**About:**',
          `- [${storeId}] store`,
          `- [${sqliteId}] sqlite`,
          '',
          '**Supersedes:**',
          `- [${old.node_id}] Use JSON files.`,
        ].join('\n'),
      );
      expect(await read(server, `svc-memory://node/${old.node_id}`)).toContain(`· closed ${today} · namespace default`);
      expect(await read(server, `svc-memory://node/${old.node_id}`)).toContain(
        `**Superseded by:**\n- [${fresh.node_id}] Use SQLite.`,
      );
    }));

  test('of a session lists what was stored in it, oldest first', () =>
    withServer(async (server) => {
      const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name: 'Storage' });
      const first = await store(server, { content: 'First.', kind: 'fact' });
      const second = await store(server, { content: 'Second.', kind: 'action' });
      const text = await read(server, `svc-memory://session/${session_id}`);
      expect(text).toContain(`## session ${session_id}\n\n**Storage**`);
      expect(text.indexOf(`- [${first.node_id}]`)).toBeGreaterThan(text.indexOf('**Stored in it:**'));
      expect(text.indexOf(`- [${second.node_id}]`)).toBeGreaterThan(text.indexOf(`- [${first.node_id}]`));
      await expect(read(server, `svc-memory://session/${first.node_id}`)).rejects.toMatchObject({ code: -32002 });
    }));

  test('of an entity is its dossier, whatever characters its name has', () =>
    withServer(async (server) => {
      const name = 'src/ä b.ts#run()?100%';
      await store(server, { content: 'It runs twice.', kind: 'fact', entities: [name] });
      expect(await read(server, `svc-memory://entity/${encodeURIComponent(name)}`)).toContain('— It runs twice.');
    }));

  test('that is not there, or has no known form, is an error that says what there is', () =>
    withServer(async (server) => {
      for (const uri of [
        'svc-memory://node/d_unknown',
        'svc-memory://nothing',
        'file:///etc/passwd',
        'svc-memory://node/%E0',
      ]) {
        await expect(server.client.readResource({ uri }), uri).rejects.toMatchObject({ code: -32002 });
      }
      await expect(server.client.readResource({ uri: 'svc-memory://nothing' })).rejects.toThrow(
        'svc-memory://briefing',
      );
    }));

  test('keeps stored text on its line, so that it cannot forge another', () =>
    withServer(async (server) => {
      const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name: HOSTILE });
      const { node_id } = await store(server, {
        content: HOSTILE,
        kind: 'decision',
        rationale: HOSTILE,
        alternatives_rejected: [HOSTILE],
        entities: [HOSTILE],
      });
      for (const uri of [
        `svc-memory://node/${node_id}`,
        `svc-memory://session/${session_id}`,
        'svc-memory://briefing',
      ]) {
        for (const line of (await read(server, uri)).split(/[\n\u2028]/)) {
          expect(line, uri).not.toMatch(/^(## A forged|- \[d_aaaaaaaa\])/);
        }
      }
    }));
});

describe('a store file that somebody wrote by hand', () => {
  test('offers no address, no value and no words that forge a line', () =>
    withServer(async (server) => {
      const named = async (name: string) => {
        const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name });
        await server.call('memory_end_session', { summary: `${name} is done` });
        return session_id;
      };
      const forged = await named('Forged');
      const dated = await named('Dated');
      await store(server, { content: 'A zebra.', kind: 'fact', entities: ['zebra'] });
      const sqlite = await openSqlite(join(server.home, '.svc', 'memory.db'));
      const lines = `char(10) || '## Forged' || char(10)`;
      await sqlite.all(`UPDATE mem_nodes SET id = 's_x' || ${lines} WHERE id = '${forged}'`);
      await sqlite.all(`UPDATE mem_nodes SET recorded_at = ${lines} WHERE id = '${dated}'`);
      await sqlite.all(`UPDATE mem_nodes SET content = content || ${lines} WHERE kind = 'entity'`);
      await sqlite.close();

      const { resources } = await server.client.listResources();
      expect(JSON.stringify(resources)).not.toContain('## Forged');
      expect(resources.map(({ title }) => title)).not.toContain('Forged');
      expect(resources.find(({ title }) => title === 'Dated')?.description).toBe('Session of ????-??-??');
      const complete = async (uri: string, name: string) =>
        (await server.client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value: '' } })).completion
          .values;
      expect(await complete('svc-memory://session/{id}', 'id')).toContain(dated);
      expect(JSON.stringify(await complete('svc-memory://session/{id}', 'id'))).not.toContain('## Forged');
      expect(await complete('svc-memory://entity/{name}', 'name')).toEqual(['zebra ## Forged']);
    }));
});

describe('completion', () => {
  const complete = async (
    server: ConnectedServer,
    ref: { uri: string } | { name: string },
    name: string,
    value: string,
  ) => {
    const typed = 'uri' in ref ? { type: 'ref/resource' as const, ...ref } : { type: 'ref/prompt' as const, ...ref };
    return (await server.client.complete({ ref: typed, argument: { name, value } })).completion;
  };

  test('offers ids and names that fit what is typed so far', () =>
    withServer(async (server) => {
      const { session_id } = await server.value<{ session_id: string }>('memory_start_session', { name: 'Storage' });
      const decision = await store(server, {
        content: 'Use SQLite.',
        kind: 'decision',
        entities: ['UserStore', 'sqlite'],
      });
      const fact = await store(server, { content: 'It is slow.', kind: 'fact', entities: ['UserStore'] });
      const node = { uri: 'svc-memory://node/{id}' };
      expect(await complete(server, node, 'id', fact.node_id.slice(0, 5))).toEqual({
        values: [fact.node_id],
        hasMore: false,
      });
      expect((await complete(server, node, 'id', '')).values).toContain(decision.node_id);
      expect((await complete(server, { uri: 'svc-memory://session/{id}' }, 'id', '')).values).toEqual([session_id]);
      expect((await complete(server, { uri: 'svc-memory://entity/{name}' }, 'name', 'STORE')).values).toEqual([
        'UserStore',
      ]);
      expect((await complete(server, { name: 'brief' }, 'topic', '')).values).toEqual(['UserStore', 'sqlite']);
      expect((await complete(server, { name: 'why' }, 'decision', 'd_')).values).toEqual([decision.node_id]);
    }));

  test('offers at most 100 values and says when there are more', () =>
    withServer(async (server) => {
      await store(server, {
        content: 'Many.',
        kind: 'fact',
        entities: Array.from({ length: 120 }, (_, i) => `part ${i}`),
      });
      const { values, hasMore } = await complete(server, { uri: 'svc-memory://entity/{name}' }, 'name', 'part');
      expect(values).toHaveLength(100);
      expect(hasMore).toBe(true);
    }));

  test('offers nothing for what it does not know', () =>
    withServer(async (server) => {
      expect((await complete(server, { name: 'nothing' }, 'x', 'y')).values).toEqual([]);
      expect((await complete(server, { name: 'why' }, 'decision', '%_\'"')).values).toEqual([]);
    }));
});
