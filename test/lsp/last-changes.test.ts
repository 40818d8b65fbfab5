import { expect, it } from 'vitest';
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
