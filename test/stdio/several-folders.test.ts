// One server for a window with several folders.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GRAPH_SERVER_FILE } from '../support/code-project';
import { commandLineIn } from '../support/command-line';
import { type ConnectedServer, connectServer, type Place, withPlace, withServer } from '../support/stdio-client';

const NAMES = ['red', 'blue <b>'];

/** Two folders, as the extension tells a server of them. */
async function withFolders(
  work: (server: ConnectedServer, folders: readonly string[]) => Promise<void>,
  server?: string,
): Promise<void> {
  await withPlace({}, async (place) => {
    const folders = await Promise.all(NAMES.map((name) => folderIn(place, name)));
    const listed = folders.map((path, at) => ({
      name: NAMES[at],
      path,
      environment: {
        SVC_PROJECT_ROOT: path,
        SVC_MEMORY_DB: join(path, '.svc/memory.db'),
        SVC_CREATE_STORE: 'on-write',
      },
    }));
    const connected = await connectServer(place, {
      env: { SVC_FOLDERS: JSON.stringify(listed) },
      ...(server === undefined ? {} : { server }),
    });
    try {
      await work(connected, folders);
    } finally {
      await connected.close();
    }
  });
}

async function folderIn({ folder }: Place, name: string): Promise<string> {
  const path = join(folder, name.slice(0, 3));
  await mkdir(path);
  await writeFile(join(path, 'a.ts'), `export function ${name.slice(0, 3)}Only() {}\n`);
  return path;
}

/** The home directory of a place, from a folder in it. */
function homeOf(folder: string): string {
  return join(folder, '..', '..', 'home');
}

describe('a server for several folders', () => {
  it('has one parameter more in each tool, and says what it is for', () =>
    withFolders(async ({ client }) => {
      const { tools } = await client.listTools();
      expect(tools).toHaveLength(17);
      for (const { inputSchema } of tools) {
        expect(inputSchema.properties?.folder).toMatchObject({ type: 'string', enum: NAMES });
        expect(inputSchema.required ?? []).not.toContain('folder');
      }
      expect(client.getInstructions()).toMatch(/\n- Several folders are open/);
    }));

  it('keeps what is stored in the folder that is named, or that a path lies in; else in the first', () =>
    withFolders(async ({ text, refusal, client }, [red = '', blue = '']) => {
      await text('memory_store', { content: 'The colour is red', kind: 'fact' });
      await text('memory_store', {
        content: 'The colour is blue',
        kind: 'fact',
        entities: ['a.ts'],
        folder: 'blue <b>',
      });
      expect(await text('memory_recall', { query: 'colour' })).toContain('is red');
      expect(await text('memory_recall', { query: 'colour', folder: null })).not.toContain('is blue');
      expect(await text('memory_recall', { query: 'colour', folder: 'blue <b>' })).toContain('is blue');
      expect(await refusal('memory_recall', { query: 'colour', folder: 'green' })).toBe(
        'invalid_input: "folder" is "green", which is no folder here. The folders are "red", "blue <b>".',
      );
      for (const path of [red, blue]) {
        const other = await commandLineIn({ folder: path, home: homeOf(path) }).ok('timeline', 'colour');
        expect(other).toContain(path === red ? 'is red' : 'is blue');
      }
      expect(await text('memory_for_code', { file_path: join(blue, 'a.ts') })).not.toContain('outside');
      const { resources } = await client.listResources();
      const briefings = resources.filter(({ uri }) => uri.startsWith('svc-memory://briefing'));
      expect(briefings.map(({ title }) => title)).toEqual(['Project briefing (red)', 'Project briefing (blue <b>)']);
      const session = resources.find(({ title, uri }) => title?.endsWith('(blue <b>)') && uri.includes('/session/'));
      expect(JSON.stringify(await client.readResource({ uri: session?.uri ?? '' }))).toContain('is blue');
      await expect(client.readResource({ uri: 'svc-memory://briefing?folder=green' })).rejects.toThrow(
        'no such folder',
      );
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ arguments: taken }) => taken?.at(-1)?.name)).toEqual(['folder', 'folder', 'folder']);
      const brief = (folder: string) =>
        client.getPrompt({ name: 'brief', arguments: { topic: 'colour', folder } }).then(JSON.stringify);
      expect(await brief('blue <b>')).toContain('is blue');
      await expect(brief('green')).rejects.toThrow('which is no folder here');
    }));

  it('answers from the code of each of them', () =>
    withFolders(async ({ text }, folders) => {
      for (const path of folders) {
        const { status } = await commandLineIn({ folder: path, home: homeOf(path) }).run(['build'], {
          program: GRAPH_SERVER_FILE.replace('svc-mcp', 'svc'),
        });
        expect(status).toBe(0);
      }
      expect(await text('query_codebase', { query: 'redOnly' })).toContain('a.ts:1');
      expect(await text('query_codebase', { query: 'bluOnly', folder: 'blue <b>' })).toContain('a.ts:1');
    }, GRAPH_SERVER_FILE));

  it.each(['', '[]', 'no JSON', '[{"name":"a"}]', '[{"name":"a","path":"rel","environment":{}}]', '{}'])(
    'serves the working folder alone where the list is %j',
    (list) =>
      withServer(
        async ({ client, text, log }) => {
          expect((await client.listTools()).tools[0]?.inputSchema.properties).not.toHaveProperty('folder');
          expect(await text('memory_recall', { query: 'anything' })).toContain('0 items');
          expect(log().includes('SVC_FOLDERS cannot be read')).toBe(list !== '');
        },
        { env: { SVC_FOLDERS: list } },
      ),
  );
});
