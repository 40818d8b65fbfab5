import { expect, it } from 'vitest';
import { type EditorClient, withEditor } from '../support/editor-client';

const AGENT = 'Visual Studio Code';

async function callAsAgent<Value>(editor: EditorClient, name: string, input: object): Promise<Value> {
  const answer = await editor.request('svc/callTool', {
    ...{ folder: editor.uri('.'), name, arguments: input as Record<string, unknown>, agent: AGENT },
  });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value as Value;
}

const standing = (editor: EditorClient, id: string): Promise<object> => editor.call('node', { id });

it('what an agent of the editor stores is its own, in a session of its own', async () => {
  await withEditor(async (editor) => {
    const { node_id: mine } = await editor.call<{ node_id: string }>('memory_store', { content: 'Mine', kind: 'fact' });
    const { node_id } = await callAsAgent<{ node_id: string }>(editor, 'memory_store', {
      content: 'Its',
      kind: 'fact',
    });
    expect(await standing(editor, mine)).toMatchObject({ standing: 'confirmed', origin: { kind: 'person' } });
    expect(await standing(editor, node_id)).toMatchObject({
      ...{ standing: 'stored', origin: { kind: 'agent', name: AGENT } },
    });
    const { closed_session_id } = await callAsAgent<{ closed_session_id: string }>(editor, 'memory_end_session', {
      summary: 'Done',
    });
    const ended = await editor.call<{ content: string }>('node', { id: closed_session_id });
    expect(ended.content).toContain(AGENT);
    // The person's goes on.
    expect(await editor.call('sessions')).toContainEqual(expect.objectContaining({ current: true, valid_until: null }));
  });
});

it('it is kept as the setting says, from the next call on', async () => {
  await withEditor(async (editor) => {
    const store = async (content: string): Promise<object> =>
      standing(
        editor,
        (await callAsAgent<{ node_id: string }>(editor, 'memory_store', { content, kind: 'fact' })).node_id,
      );
    const waits = async (): Promise<boolean> =>
      (await editor.request('svc/folderState', { folder: editor.uri('.') })).agents_wait;
    expect(await store('One')).toMatchObject({ standing: 'stored' });
    expect(await waits()).toBe(false);
    await editor.configure({ keep: 'propose' });
    expect(await waits()).toBe(true);
    expect(await store('Two')).toMatchObject({ standing: 'proposed' });
    const told = { content: 'Two and a half', kind: 'fact' };
    expect(await callAsAgent(editor, 'memory_store', told)).toMatchObject({ standing: 'proposed' });
    await editor.configure({ keep: 'keep' });
    expect(await store('Three')).toMatchObject({ standing: 'stored' });
    const kept = { content: 'Three and a half', kind: 'fact' };
    expect(await callAsAgent(editor, 'memory_store', kept)).not.toHaveProperty('standing');
  });
});

it('what only people may do is no tool of an agent', async () => {
  await withEditor(async (editor) => {
    await expect(callAsAgent(editor, 'settle', {})).rejects.toThrow('There is no tool "settle"');
  });
});
