import { rename, utimes } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { withCodeProject } from '../support/code-project';

const OPEN = 'export function open(): string {\n  return "files";\n}\n';

it('a history tells that code was moved when it was, and not when its file had been written', async () => {
  await withCodeProject({ 'src/open.ts': OPEN }, async ({ build, memoryServer, path, json }) => {
    await build();
    const server = await memoryServer();
    const input = { content: 'opens slowly', kind: 'fact', entities: ['open()'] };
    const { node_id } = await server.value<{ node_id: string }>('memory_store', input);
    const old = new Date('2020-01-01T00:00:00Z');
    await utimes(path('src/open.ts'), old, old);
    await build();
    // The clock of a disk goes in steps of some milliseconds.
    const before = new Date(Date.now() - 20).toISOString();
    // As `git mv` does.
    await rename(path('src/open.ts'), path('src/moved.ts'));
    await build();
    const { events } = await json<{ events: { action: string; at: string }[] }>('history', node_id);
    expect(events.map(({ action }) => action)).toEqual(['store', 'anchor']);
    expect(`${events[1]?.at}` >= before).toBe(true);
    // Whoever asks for the old file is told of the one where its code is.
    expect(await server.text('memory_for_code', { file_path: 'src/open.ts' })).toContain('nearest are "src/moved.ts"');
  });
});
