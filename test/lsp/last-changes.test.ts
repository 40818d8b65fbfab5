import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { commandLineIn } from '../support/command-line';
import { withEditor } from '../support/editor-client';
import { connectServer } from '../support/stdio-client';

it('tells of the last change of the window, and of the newer one of somebody else', async () => {
  await withEditor(async (editor, project) => {
    const last = (own?: number) =>
      editor.request('svc/lastChanges', { folder: editor.uri('.'), ...(own === undefined ? {} : { own }) });
    const act = async (name: string, input: Readonly<Record<string, unknown>>): Promise<number> => {
      const answer = await editor.callTool(name, input);
      if (!answer.ok || answer.operation === null) throw new Error(JSON.stringify(answer));
      return answer.operation;
    };
    expect(await last()).toEqual({ own: null, newer: [] });
    const own = await act('memory_store', { content: 'Mine', kind: 'fact' });
    const mine = { operation: own, did: 'store', content: 'Mine', memories: 1, client: expect.any(String) };
    expect(await last(own)).toMatchObject({ own: mine, newer: [] });

    const agent = await connectServer(project, { clientName: 'an-agent' });
    try {
      // What only begins a session is nothing to take back.
      await agent.value('memory_start_session', { name: 'Anything' });
      expect(await last(own)).toMatchObject({ own: mine, newer: [] });
      const { node_id } = await agent.value<{ node_id: string }>('memory_store', { content: 'Theirs', kind: 'fact' });
      const theirs = { did: 'store', content: 'Theirs', memories: 1, client: 'an-agent' };
      for (const known of [own, undefined]) {
        expect(await last(known)).toMatchObject({ own: mine, newer: [theirs] });
      }
      // What the window does after that is the last change again.
      const forgetting = await act('memory_forget', { node_id });
      expect(await last(forgetting)).toMatchObject({
        own: { operation: forgetting, did: 'forget', content: 'Theirs' },
        newer: [],
      });
      await act('undo', { operation: forgetting });
      const [newer] = (await last(own)).newer;
      expect(newer).toMatchObject(theirs);
      await act('undo', { operation: newer?.operation });
      expect(await last(own)).toMatchObject({ own: mine, newer: [] });
      await agent.value('memory_store', { content: 'Of another day', kind: 'fact' });
      const all = await editor.call<{ id: string; content: string }[]>('nodes');
      const id = all.find(({ content }) => content === 'Mine')?.id;
      await agent.value('memory_verify', { node_id: id, status: 'refute' });
      // Before that, nothing else of it can be taken back.
      const refuted = { did: 'refute', content: 'Mine', client: 'an-agent' };
      expect(await last(own)).toMatchObject({ own: null, newer: [refuted, { content: 'Of another day' }] });
      // A memory in other words is one, and shown as it is now.
      const supersedes = all.find(({ content }) => content === 'Of another day')?.id;
      await agent.value('memory_store', { content: 'In other words', kind: 'fact', supersedes });
      await agent.value('memory_end_session', { summary: 'It was a day' });
      const said = (await last(own)).newer.map(({ did, content, memories }) => [did, content, memories]);
      expect(said).toEqual([
        ['end', expect.any(String), expect.any(Number)],
        ['supersede', 'In other words', 1],
        ['refute', 'Mine', 1],
      ]);
    } finally {
      await agent.close();
    }
  });
});

it('tells of what somebody else has shared, and of what took the place of a shared memory, as undoing takes it', async () => {
  await withEditor(async (editor, project) => {
    const act = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const answer = await editor.callTool(name, input);
      if (!answer.ok || answer.operation === null) throw new Error(JSON.stringify(answer));
      return { operation: answer.operation, ...(answer.value as { node_id: string; node_ids: string[] }) };
    };
    const terminal = commandLineIn(project);
    const { node_id: shared } = await act('memory_store', { content: 'Uploads are cut into chunks', kind: 'fact' });
    await act('share', { node_ids: [shared] });
    const mine = await act('memory_store', { content: 'Mine', kind: 'decision' });
    const last = (own?: number) =>
      editor.request('svc/lastChanges', { folder: editor.uri('.'), ...(own === undefined ? {} : { own }) });
    const newer = async () =>
      (await last(mine.operation)).newer.map(({ did, content, memories }) => [did, content, memories]);
    const takeBackNewest = async () => act('undo', { operation: (await last(mine.operation)).newer[0]?.operation });
    const files = () => readdir(project.path('.svc/memories'));
    const before = await files();

    const agent = await connectServer(project, { clientName: 'an-agent' });
    const words = { content: 'Uploads are cut into chunks of 4 MiB', kind: 'fact' };
    const { node_id } = await agent.value<{ node_id: string }>('memory_store', { ...words, supersedes: shared });
    expect(await newer()).toEqual([['supersede', words.content, 1]]);
    expect((await last(mine.operation)).newer).toMatchObject([{ client: 'an-agent' }]);
    // Not where its file is not, as on another branch.
    const [file = ''] = (await files()).filter((name) => !before.includes(name));
    const [there, away] = [project.path('.svc/memories', file), project.path('away.md')];
    await rename(there, away);
    expect(await newer()).toEqual([]);
    await rename(away, there);
    expect(await newer()).toHaveLength(1);
    // Nor where somebody has edited it since.
    const written = await readFile(there, 'utf8');
    await writeFile(there, `${written}By hand.\n`);
    expect(await newer()).toEqual([]);
    await writeFile(there, written);
    // What cannot be taken back does not stand before what can be.
    const others = [await agent.value<{ node_id: string }>('memory_store', { content: 'Apart', kind: 'fact' })];
    for (const size of [5, 6, 7, 8, 9, 10]) {
      const [{ node_id: old } = { node_id: '' }] = size === 5 ? [{ node_id }] : others.slice(-1);
      const content = `Uploads are cut into chunks of ${size} MiB`;
      others.push(await agent.value('memory_store', { content, kind: 'fact', supersedes: old }));
    }
    expect((await newer()).map(([, content]) => content)).toEqual(['Uploads are cut into chunks of 10 MiB', 'Apart']);
    for (const _ of others) await takeBackNewest();
    // It goes as a whole, with what it stored, and is no change after that.
    expect((await takeBackNewest()).node_ids).toEqual([node_id, shared]);
    expect(await files()).toEqual(before);
    expect(await newer()).toEqual([]);

    // What has been put in other words once more since then cannot be taken back before that.
    const own = await act('memory_store', { ...words, supersedes: shared });
    await agent.value('memory_store', { content: 'Uploads are whole', kind: 'fact', supersedes: own.node_id });
    expect(await last(own.operation)).toMatchObject({ own: null, newer: [{ content: 'Uploads are whole' }] });
    await takeBackNewest();
    expect(await last(own.operation)).toMatchObject({ own: { operation: own.operation, did: 'supersede' }, newer: [] });
    await act('undo', { operation: own.operation });

    await terminal.ok('share', mine.node_id);
    expect(await newer()).toEqual([['share', 'Mine', 1]]);
    // Until it is taken out of its file, nothing else of it can be taken back.
    expect(await last(mine.operation)).toMatchObject({ own: null });
    await takeBackNewest();
    expect(await last(mine.operation)).toMatchObject({ own: { content: 'Mine', did: 'store' }, newer: [] });
    await agent.close();

    const proposing = await connectServer(project, { env: { SVC_KEEP: 'propose' } });
    const three = ['First', 'Second', 'Third'];
    const { node_ids } = await proposing.value<{ node_ids: string[] }>('memory_import', {
      nodes: three.map((content) => ({ content, kind: 'decision' })),
    });
    await proposing.close();
    await project.write('.svc/config.yaml', 'share: decisions\n');
    for (const id of node_ids) await terminal.ok('review', 'keep', id, '--yes');
    expect(await files()).toHaveLength(before.length + three.length);
    // What was kept is hidden behind its file.
    expect(await newer()).toEqual(three.toReversed().map((content) => ['share', content, 1]));
    await takeBackNewest();
    expect((await newer()).slice(0, 2)).toEqual([
      ['accept', 'Third', 1],
      ['share', 'Second', 1],
    ]);
  });
});

it('calls an import what it is, though one of its memories takes the place of another', async () => {
  await withEditor(async (editor, project) => {
    const answer = await editor.callTool('memory_import', {
      nodes: [
        { id: 'd_before', content: 'Before', kind: 'decision' },
        { content: 'After', kind: 'decision', supersedes: ['d_before'] },
        { content: 'Something else', kind: 'fact' },
      ],
    });
    const own = answer.ok ? (answer.operation ?? undefined) : undefined;
    const last = () => editor.request('svc/lastChanges', { folder: editor.uri('.'), own });
    expect(await last()).toMatchObject({ own: { operation: own, did: 'store', memories: 3 } });
    const said = await commandLineIn(project).ok('undo', String(own));
    expect(said).toMatch(/^Taken back: stored\. 3 memories, first \[\w+\] Before\n/);
  });
});
