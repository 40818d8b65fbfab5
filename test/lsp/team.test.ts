import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { TeamList } from '../../src/protocol/tool-values';
import { type EditorClient, type EditorOptions, startEditor } from '../support/editor-client';
import { answering, member, names, withoutStore, withStranger } from '../support/team-member';
import { connectTo, type Team, withTeam } from '../support/team-server';

const DECISION = { content: 'Retries stop after five attempts', kind: 'decision', rationale: 'the provider blocks us' };
const PATIENCE = { timeout: 60_000 };

async function withWindow(
  team: Team,
  options: EditorOptions,
  work: (editor: EditorClient) => Promise<void>,
): Promise<void> {
  const editor = await startEditor(team, options);
  try {
    await work(editor);
  } finally {
    await editor.end();
  }
}

/** On a busy machine the first answer may come too late: then the copy is listed, and the server is asked again soon. */
const answered = (editor: EditorClient, input: Readonly<Record<string, unknown>> = {}): Promise<TeamList> =>
  editor.until('the team to answer', async () => {
    const list = await editor.call<TeamList>('team', input);
    return list.state === 'answers' ? list : undefined;
  });

const contents = async (editor: EditorClient): Promise<string[]> =>
  (await answered(editor)).items.map(({ content }) => content);

const note = (editor: EditorClient) => editor.request('svc/team', { folder: editor.uri('.') });

describe("the team's memory in a window", () => {
  it('takes up another token for the address at the next question, and listens with it', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const { token } = await member(team, server);
      const address = `${server.address}/shop`;
      const tokens: Record<string, string> = { [address]: token };
      await withWindow(team, { tokens }, async (editor) => {
        await answered(editor);
        const listed = await team.admin('token', 'team', '--list');
        const [id = ''] = /^\S+(?=.*anna)/m.exec(listed) ?? [];
        await team.admin('token', 'team', '--revoke', id);
        await expect.poll(() => note(editor), PATIENCE).toMatchObject({ state: 'shut' });
        expect(await editor.call<TeamList>('team')).toMatchObject({ state: 'shut' });
        tokens[address] = await team.token('anna', 'shop=reader');
        expect(await editor.call<TeamList>('team')).toMatchObject({ state: 'answers' });
        expect(await note(editor)).toMatchObject({ state: 'answers' });
        const told = (): number => editor.changes.filter(({ what }) => what.includes('team')).length;
        const streams = async (): Promise<boolean> =>
          /^svc_memory_change_streams\{project="shop"\} 1$/m.test(
            await (await fetch(`${server.operators}/metrics`)).text(),
          );
        await expect.poll(streams, PATIENCE).toBe(true);
        const before = told();
        await bob.value('memory_store', DECISION);
        await expect.poll(told, PATIENCE).toBeGreaterThan(before);
      });
    }));

  it('is listed with who stored it, opened by its id, and follows what others do', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const { node_id } = await bob.value<{ node_id: string }>('memory_store', { ...DECISION, entities: ['retry.ts'] });
      const { token } = await member(team, server);
      await team.ok('store', 'Retries are logged', '--kind', 'fact');
      const address = `${server.address}/shop`;
      await withWindow(team, { tokens: { [address]: token } }, async (editor) => {
        const { items, ...rest } = await answered(editor, { letters: 'attempts' });
        expect(rest).toEqual({ address, state: 'answers', copy_at: null, waiting: 0, refused: 0 });
        expect(items).toEqual([
          expect.objectContaining({ id: `t:${node_id}`, content: DECISION.content, by: 'bob', marks: ['team'] }),
        ]);
        expect(await editor.call('node', { id: `t:${node_id}` })).toMatchObject({
          ...{ id: `t:${node_id}`, rationale: 'the provider blocks us', marks: ['team'] },
          ...{ origin: { name: 'bob · test client' }, entities: [{ content: 'retry.ts' }], session: null },
        });
        const why = await editor.callTool('memory_why', { decision_ref: `t:${node_id}` });
        expect(why.ok && why.text).toContain('**Rationale:** the provider blocks us');
        const recalled = await editor.request('svc/recallPreview', {
          ...{ folder: editor.uri('.'), query: 'retries', budgetTokens: 500, options: { kinds: ['decision', 'fact'] } },
        });
        const found = recalled.ok ? recalled.value.items.map(({ id, elsewhere }) => [id.slice(0, 2), elsewhere]) : [];
        expect(found.sort()).toEqual([
          ['d_', true],
          ['f_', undefined],
        ]);
        const told = (): number => editor.changes.filter(({ what }) => what.includes('team')).length;
        // That it is followed.
        await expect.poll(told, PATIENCE).toBeGreaterThan(0);
        const before = told();
        await bob.value('memory_store', { content: 'Retries wait a second', kind: 'fact' });
        await expect.poll(told, PATIENCE).toBeGreaterThan(before);
        expect(await contents(editor)).toEqual(['Retries wait a second', DECISION.content]);
        const own = await editor.call<{ content: string }[]>('nodes', { kinds: ['fact', 'decision'] });
        expect(own.map(({ content }) => content)).toEqual(['Retries are logged']);
      });
    }));

  it('is there before the folder has a store, which reading does not make', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      const { node_id } = await bob.value<{ node_id: string }>('memory_store', DECISION);
      const token = await team.token('anna', 'shop=reader');
      const address = `${server.address}/shop`;
      await names(address, team);
      await withWindow(team, { tokens: { [address]: token } }, async (editor) => {
        const told = (): number => editor.changes.filter(({ what }) => what.includes('team')).length;
        expect(await editor.request('svc/folderState', { folder: editor.uri('.') })).toMatchObject({ problem: null });
        expect(await note(editor)).toBe(null);
        expect((await editor.callTool('team')).ok).toBe(false);
        expect(told()).toBe(0);
        const env = { ...withoutStore(team), SVC_MEMORY_TOKEN: token };
        expect(await team.run(['login', '--yes'], { env })).toMatchObject({ status: 0, err: '' });
        // The window is told of what was agreed to in a terminal.
        await expect.poll(told, PATIENCE).toBeGreaterThan(0);
        expect(await note(editor)).toMatchObject({ address });
        expect(await contents(editor)).toEqual([DECISION.content]);
        expect(await editor.call('node', { id: `t:${node_id}` })).toMatchObject({ rationale: DECISION.rationale });
        expect(await editor.call('nodes', {})).toEqual([]);
        const recalled = await editor.request('svc/recallPreview', {
          ...{ folder: editor.uri('.'), query: 'retries', budgetTokens: 500, options: {} },
        });
        expect(recalled.ok && recalled.text).toContain('· team — Retries stop');
        const before = told();
        await bob.value('memory_store', { content: 'Retries wait a second', kind: 'fact' });
        await expect.poll(told, PATIENCE).toBeGreaterThan(before);
        expect(existsSync(team.path('.svc', 'memory.db'))).toBe(false);

        await editor.call('memory_store', { content: 'Mine alone', kind: 'fact' });
        expect(existsSync(team.path('.svc', 'memory.db'))).toBe(true);
        expect(await editor.call('nodes', { kinds: ['fact'] })).toMatchObject([{ content: 'Mine alone' }]);
        expect(await contents(editor)).toEqual(['Retries wait a second', DECISION.content]);
        expect(await editor.request('svc/folderState', { folder: editor.uri('.') })).toMatchObject({ stale: 0 });

        const atTheEnd = told();
        await writeFile(team.path('.svc', 'config.yaml'), '');
        await expect.poll(told, PATIENCE).toBeGreaterThan(atTheEnd);
        expect(await note(editor)).toBe(null);
      });
    }));

  it('is no longer there before the folder has a store, once the folder names none', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const address = `${server.address}/shop`;
      await names(address, team);
      const token = await team.token('anna', 'shop=reader');
      const env = { ...withoutStore(team), SVC_MEMORY_TOKEN: token };
      await team.run(['login', '--yes'], { env });
      const tokens = { [address]: token };
      await withWindow(team, { tokens, settings: { trusted: false } }, async (editor) => {
        expect(await note(editor)).toBe(null);
        expect((await editor.callTool('team')).ok).toBe(false);
      });
      await withWindow(team, { tokens }, async (editor) => {
        expect(await note(editor)).toMatchObject({ address });
        await answered(editor);
        const before = editor.changes.length;
        await writeFile(team.path('.svc', 'config.yaml'), '');
        await expect.poll(() => editor.changes.length, PATIENCE).toBeGreaterThan(before);
        expect(await note(editor)).toBe(null);
        expect((await editor.callTool('team')).ok).toBe(false);
      });
    }));

  it('is read from its copy while the server is away, which a note says until it is back', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bobs = await team.token('bob', 'shop=writer');
      await (await connectTo(server, bobs)).value('memory_store', DECISION);
      const { token, env } = await member(team, server);
      const stored = await team.ok('store', 'Mine alone', '--kind', 'fact', '--json');
      const address = `${server.address}/shop`;
      await withWindow(team, { tokens: { [address]: token } }, async (editor) => {
        expect(await contents(editor)).toEqual([DECISION.content]);
        expect(await note(editor)).toMatchObject({ address, state: 'answers', copy_at: null });
        server.process.kill('SIGTERM');
        await server.exit;
        const { node_id } = JSON.parse(stored) as { node_id: string };
        await team.run(['promote', node_id, '--yes'], { env });
        await expect
          .poll(() => note(editor), PATIENCE)
          .toEqual({
            ...{ address, state: 'silent', copy_at: expect.stringMatching(/^\d{4}-/), waiting: 1, refused: 0 },
          });
        const { items, ...rest } = await editor.call<TeamList>('team');
        expect(rest).toMatchObject({ state: 'silent', copy_at: expect.any(String), waiting: 1 });
        expect(items).toEqual([expect.objectContaining({ content: DECISION.content, by: 'bob' })]);
        expect(await editor.call('node', { id: items[0]?.id })).toMatchObject({ rationale: DECISION.rationale });
        const before = editor.changes.length;
        await team.start('--listen', server.address.replace('http://', ''));
        await expect.poll(() => note(editor), PATIENCE).toMatchObject({ state: 'answers', copy_at: null });
        expect(editor.changes.slice(before).some(({ what }) => what.includes('team'))).toBe(true);
        expect(await answered(editor)).toMatchObject({ copy_at: null });
      });
    }));

  it('is asked in no window whose person has not agreed, and in none that is not trusted', () =>
    withTeam(async (team) => {
      const asked: (string | undefined)[] = [];
      const stranger = answering((_, response) => void response.writeHead(503).end());
      await withStranger(
        (request, response) => {
          asked.push(request.headers.authorization);
          stranger(request, response);
        },
        async (address) => {
          await team.ok('init');
          await names(address, team);
          await team.ok('store', 'Mine alone', '--kind', 'fact');
          const tokens = { [address]: 'svcm_of_a_test' };
          const seesNothing = async (editor: EditorClient): Promise<void> => {
            expect(await note(editor)).toBe(null);
            expect(await editor.call<TeamList>('team')).toMatchObject({ address: null, items: [] });
            expect((await editor.callTool('node', { id: 't:d_bakilomu' })).ok).toBe(false);
          };
          await withWindow(team, { tokens }, seesNothing);
          expect(asked).toEqual([]);
          await team.run(['login', '--yes'], { env: { SVC_MEMORY_TOKEN: 'svcm_of_a_test' } });
          const before = asked.length;
          expect(before).toBeGreaterThan(0);
          await withWindow(team, { tokens, settings: { trusted: false } }, seesNothing);
          expect(asked.length).toBe(before);
          await withWindow(team, { tokens }, async (editor) => {
            expect(await note(editor)).toMatchObject({ address });
            await expect.poll(() => asked.length, PATIENCE).toBeGreaterThan(before);
          });
        },
      );
      expect(new Set(asked)).toEqual(new Set(['Bearer svcm_of_a_test']));
    }));

  it('lets in who gives a token while the window is open', () =>
    withTeam(async (team) => {
      const server = await team.start();
      const bob = await connectTo(server, await team.token('bob', 'shop=writer'));
      await bob.value('memory_store', DECISION);
      const { token } = await member(team, server);
      const address = `${server.address}/shop`;
      const tokens: Record<string, string> = {};
      await withWindow(team, { tokens }, async (editor) => {
        expect(await editor.call<TeamList>('team')).toMatchObject({ state: 'shut', copy_at: null, items: [] });
        await expect.poll(() => note(editor), PATIENCE).toMatchObject({ state: 'shut' });
        tokens[address] = token;
        await editor.connection.sendNotification('svc/teamsChanged');
        await expect.poll(() => contents(editor), PATIENCE).toEqual([DECISION.content]);
        await expect.poll(() => note(editor), PATIENCE).toMatchObject({ state: 'answers' });
        const streams = async (): Promise<string> =>
          (await (await fetch(`${server.operators}/metrics`)).text())
            .match(/^svc_memory_change_streams.*$/gm)
            ?.join() ?? '';
        expect(await streams()).toBe('svc_memory_change_streams{project="shop"} 1');
        // Nothing is asked of the window meanwhile.
        await team.ok('login', '--forget');
        await expect.poll(streams, PATIENCE).toBe('');
        expect(await note(editor)).toBe(null);
      });
    }));
});
