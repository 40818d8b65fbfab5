import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { connectTo, headersOf, type TeamServer, withTeam } from '../support/team-server';

const STORED = { content: 'A body is one string', kind: 'decision', entities: ['res.send'] };

describe('svc-memory serve', () => {
  it('serves the tools of a project to many, who find what the others stored, and says who it was', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const anna = await connectTo(server, await team.token('anna', 'shop=writer'));
      const bob = await connectTo(server, await team.token('bob', 'shop=reader'));
      const { node_id } = await anna.value<{ node_id: string }>('memory_store', STORED);
      expect(await bob.text('memory_recall', { query: 'body string' })).toContain(`[${node_id}]`);
      const history = await bob.text('history', { id: node_id });
      expect(history).toContain('anna · test client');
      const tools = (await bob.client.listTools()).tools.map(({ name }) => name);
      expect(tools).toContain('memory_recall');
      expect(tools).not.toContain('memory_store');
      expect(await bob.refusal('memory_store', STORED)).toBe(
        'unavailable: Your role in this project is reader, and memory_store needs the role writer. Nothing was changed. The operator of the server can give you that role.',
      );
      expect(await anna.refusal('memory_forget', { node_ids: [node_id], reason: 'wrong' })).toContain(
        'memory_forget needs the role maintainer',
      );
    }));

  it('lets each undo what they did themselves, and a maintainer all', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const anna = await connectTo(server, await team.token('anna', 'shop=writer'));
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const mia = await connectTo(server, await team.token('mia', 'shop=maintainer'));
      await anna.value('memory_store', STORED);
      expect(await bob.refusal('undo')).toContain('There is no operation here to undo');
      expect(await bob.refusal('undo', { operation: 1 })).toContain('Operation 1 was done by somebody else');
      expect(await mia.value('undo', { operation: 1 })).toMatchObject({ undone: 1, tool: 'memory_store' });
      await anna.value('memory_store', { ...STORED, content: 'A header is sent once' });
      expect(await anna.value('undo')).toMatchObject({ tool: 'memory_store' });
    }));

  it('answers a call that comes once more with its first answer, across processes, and carries it out once', () =>
    withTeam(async (team) => {
      const token = await team.token('anna', 'shop=writer');
      const meta = () => ({ 'svc-memory/call-key': 'key of one call' });
      const first = await connectTo(await team.start(), token, { meta });
      const second = await connectTo(await team.start(), token, { meta });
      const answers = await Promise.all([first, second, first].map((client) => client.value('memory_store', STORED)));
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(await first.refusal('memory_end_session', { summary: 'done' })).toContain(
        'The key of this call was that of a call of memory_store',
      );
      const bob = await connectTo(await team.start(), await team.token('bob', 'shop=writer'), { meta });
      const of = await bob.value<{ node_id: string }>('memory_store', { ...STORED, content: 'Of somebody else' });
      expect(answers).not.toContainEqual(expect.objectContaining({ node_id: of.node_id }));
    }));

  it('goes on with a client in another process: its namespace and its session', () =>
    withTeam(async (team) => {
      const token = await team.token('anna', 'shop=writer');
      const [one, two] = [await team.start(), await team.start()];
      const anna = await connectTo(one, token);
      const { value, client } = anna;
      await value('memory_switch_namespace', { namespace: 'later' });
      const { session_id } = await value<{ session_id: string }>('memory_start_session', { name: 'the task' });
      const ask = (server: TeamServer, name: string, input: object) =>
        fetch(`${server.address}/shop/mcp`, {
          method: 'POST',
          headers: headersOf(anna, token),
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
        });
      const ended = await ask(two, 'memory_end_session', { summary: 'done in the other process' });
      expect(await ended.json()).toMatchObject({ result: { structuredContent: { closed_session_id: session_id } } });
      // And back: the first process has to see that the session is over.
      expect(
        JSON.stringify(await client.callTool({ name: 'memory_end_session', arguments: { summary: 'again' } })),
      ).toContain('conflict');
    }));

  it('lets nobody in without a token of the project, and a token that is taken back at once no more', () =>
    withTeam(async (team) => {
      const server = await team.start();
      await team.ok('admin', 'add-project', 'team', 'other');
      const token = await team.token('anna', 'shop=writer');
      const anna = await connectTo(server, token);
      await anna.value('memory_store', STORED);
      const status = async (path: string, headers: Record<string, string> = {}) =>
        (await fetch(`${server.address}${path}`, { method: 'POST', headers, body: '{}' })).status;
      const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
      expect(await status('/shop/mcp')).toBe(401);
      expect(await status('/shop/mcp', bearer(`${token}x`))).toBe(401);
      expect(await status('/other/mcp', bearer(token))).toBe(403);
      expect(await status('/nowhere/mcp', bearer(token))).toBe(403);
      expect(await status('/shop', bearer(token))).toBe(404);
      expect(await status('/shop/mcp', { ...bearer(token), origin: 'http://page.example' })).toBe(403);
      const [{ id }] = (await team.json<[{ id: string }]>('admin', 'token', 'team', '--list')) as [{ id: string }];
      await team.ok('admin', 'token', 'team', '--revoke', id);
      await expect(anna.text('memory_stats')).rejects.toThrow('A token that is valid here is missing');
    }));

  it('keeps sessions of the protocol to who began them', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const anna = await connectTo(server, await team.token('anna', 'shop=writer'));
      const stolen = await fetch(`${server.address}/shop/mcp`, {
        method: 'DELETE',
        headers: {
          authorization: `Bearer ${await team.token('bob', 'shop=writer')}`,
          'mcp-session-id': anna.transport.sessionId ?? '',
        },
      });
      expect(stolen.status).toBe(404);
      await anna.value('memory_store', STORED);
    }));

  it('writes who changed what, counts calls, and keeps tokens and contents out of files and logs', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=writer');
      const anna = await connectTo(server, token);
      await anna.value('memory_store', STORED);
      await anna.text('memory_recall', { query: 'body' });
      const metrics = await (await fetch(`${server.operators}/metrics`)).text();
      expect(metrics).toContain('svc_memory_calls_total{project="shop",tool="memory_store",outcome="ok"} 1');
      expect(metrics.trimEnd().endsWith('# EOF')).toBe(true);
      expect(await (await fetch(`${server.operators}/ready`)).json()).toEqual({ status: 'ready' });
      server.process.kill('SIGTERM');
      expect(await server.exit).toBe(0);
      const audit = (await readFile(team.path('team', 'audit.jsonl'), 'utf8')).trim().split('\n');
      expect(audit.map((line) => JSON.parse(line) as object)).toEqual([
        expect.objectContaining({
          ...{ project: 'shop', person: 'anna', role: 'writer', client: 'test client' },
          ...{ tool: 'memory_store', outcome: 'ok', operation: 1 },
        }),
      ]);
      for (const line of server.log().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
      const files = await Promise.all(
        ['tokens.json', 'audit.jsonl', 'projects/shop/memory.db'].map((name) => readFile(team.path('team', name))),
      );
      for (const text of [server.log(), ...files.map(String)]) expect(text.includes(token)).toBe(false);
      for (const text of [server.log(), ...files.slice(0, 2).map(String)]) {
        expect(text.includes('one string')).toBe(false);
        expect(text.includes(anna.transport.sessionId ?? '-')).toBe(false);
      }
    }));

  it('refuses what is too large, and takes no bad request for a defect', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const token = await team.token('anna', 'shop=writer');
      // An address that is none, and a client that goes away in the middle, are no defects.
      const raw = (text: string): Promise<string> =>
        new Promise((done) => {
          const socket = connect(Number(new URL(server.address).port), '127.0.0.1', () => socket.write(text));
          let said = '';
          socket.on('data', (piece) => {
            said += String(piece);
            socket.destroy();
          });
          socket.on('close', () => done(said));
          if (text.includes('content-length: 50')) setTimeout(() => socket.destroy(), 200);
        });
      expect(await raw('POST // HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toContain('404');
      const head = `POST /shop/mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n`;
      expect(await raw(`${head}content-length: ${17 * 1024 * 1024}\r\n\r\n`)).toContain('413');
      await raw(`${head}content-type: application/json\r\ncontent-length: 50\r\n\r\n{`);
      expect((await fetch(`${server.address}/health`)).status).toBe(200);
      expect(server.log()).not.toContain('"level":"error"');
    }));

  it('asks for TLS where others could listen, and names what is wrong with its folder', () =>
    withTeam(async (team) => {
      const open = await team.run(['serve', 'team', '--listen', '0.0.0.0:0']);
      expect(open.status).toBe(2);
      expect(open.err).toContain('0.0.0.0 can be reached from other machines');
      const empty = await team.run(['serve', 'nothing']);
      expect([empty.status, empty.err]).toEqual([1, expect.stringContaining('holds no project')]);
      const bad = await team.run(['admin', 'token', 'team', '--person', 'anna', '--role', 'shop=king']);
      expect([bad.status, bad.err]).toEqual([2, expect.stringContaining('--role is "shop=king"')]);
      const noTls = ['serve', 'team', '--tls-cert', 'team/tokens.json', '--tls-key', 'team/tokens.json'];
      await team.token('anna', 'shop=reader');
      const wrong = await team.run(noTls);
      expect([wrong.status, wrong.err]).toEqual([1, expect.stringContaining('certificate and the key cannot be used')]);
      const before = await team.run(['--namespace', 'x', 'serve', 'team']);
      expect([before.status, before.err]).toEqual([2, expect.stringContaining('Options stand before the command')]);
    }));

  it('ends where the address for its operator is taken, and says which option that is', () =>
    withTeam(async (team) => {
      const { operators } = await team.start();
      const taken = operators.replace('http://', '');
      const second = await team.run(['serve', 'team', '--listen', '127.0.0.1:0', '--operate', taken]);
      expect(second).toEqual({
        ...{ status: 1, out: '' },
        err: `unavailable: ${taken} cannot be listened on (EADDRINUSE). Give another one with --operate.\n`,
      });
    }));

  it.each([
    ['http://anna:secret@127.0.0.1:8080', 'SVC_MEMORY_DB holds more than the address'],
    ['http://192.0.2.1:8080', 'SVC_MEMORY_DB names "192.0.2.1:8080", another machine'],
  ])('tells in one sentence what is wrong with the address of an engine: %s', (SVC_MEMORY_DB, problem) =>
    withTeam(async (team) => {
      for (const command of [
        ['serve', 'team'],
        ['admin', 'migrate', 'team'],
      ]) {
        const { status, out, err } = await team.run(command, { env: { SVC_MEMORY_DB } });
        expect([status, out, err.trim().split('\n')]).toEqual([2, '', [expect.stringContaining(problem)]]);
        expect(err).not.toContain('secret');
      }
    }),
  );
});
