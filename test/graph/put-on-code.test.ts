import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CodeProject, withCodeProject } from '../support/code-project';

const FILES = {
  'src/store.ts': 'export function open() {\n  return 1;\n}\nexport function close() {\n  return 2;\n}\n',
  'view.zig': 'const a = 1;\n',
};

interface Page {
  readonly origin: { readonly kind: string; readonly name: string };
  readonly standing: string;
  readonly valid_from: string;
  readonly session: { readonly id: string };
  readonly entities: readonly { readonly content: string }[];
  readonly code: readonly { readonly file_path: string; readonly name: string; readonly verdict: string }[];
}

const page = ({ json }: CodeProject, id: string) => json<Page>('node', id);
const codeOf = async (project: CodeProject, id: string) =>
  (await page(project, id)).code.map(({ file_path, name, verdict }) => `${file_path}#${name} ${verdict}`);

/** An agent's decision about one of the two functions. */
async function agentsDecision(project: CodeProject): Promise<string> {
  await project.build();
  const agent = await project.memoryServer();
  const stored = { content: 'Files stay open', kind: 'decision', entities: ['src/store.ts#open'] };
  return (await agent.value<{ node_id: string }>('memory_store', stored)).node_id;
}

describe('a person puts a memory on code', () => {
  it('and it is the memory that it was, by its author and of its session, in doubt when that code changes, until undone', () =>
    withCodeProject(FILES, async (project) => {
      const id = await agentsDecision(project);
      const before = await page(project, id);
      expect(await project.ok('link', id, 'src/store.ts#close')).toMatch(/^linked +1$/m);
      const after = await page(project, id);
      expect(after).toMatchObject({
        ...{ origin: before.origin, standing: 'stored', valid_from: before.valid_from, session: before.session },
        entities: [{ content: 'src/store.ts#open' }, { content: 'src/store.ts#close' }],
      });
      expect(before.origin.kind).toBe('agent');
      expect((await codeOf(project, id)).sort()).toEqual([
        'src/store.ts#close unchanged',
        'src/store.ts#open unchanged',
      ]);
      expect(await project.ok('recall', 'close')).toContain('Files stay open');
      expect(await project.ok('history', id)).toMatch(/put on code/);
      await project.write('src/store.ts', FILES['src/store.ts'].replace('return 2', 'return 3'));
      expect((await codeOf(project, id)).sort()).toEqual(['src/store.ts#close changed', 'src/store.ts#open unchanged']);
      await project.ok('undo');
      expect(await codeOf(project, id)).toEqual(['src/store.ts#open unchanged']);
      expect((await page(project, id)).entities).toEqual(before.entities);
      const history = await project.json<{ events: { action: string; operation: number }[] }>('history', id);
      await project.ok('undo', String(history.events.findLast(({ action }) => action === 'undo')?.operation));
      // As it was made then: its code has changed since.
      expect((await codeOf(project, id)).sort()).toEqual(['src/store.ts#close changed', 'src/store.ts#open unchanged']);
    }));

  it('once, however it is spelled; a function of a language that is not read is in its file; what is no code is refused with what comes nearest', () =>
    withCodeProject(FILES, async (project) => {
      const id = await agentsDecision(project);
      expect(await project.json('link', id, 'src/store.ts#open')).toEqual({ node_id: id, linked: 0, operation: null });
      expect(await project.json('link', id, 'view.zig#main')).toMatchObject({ linked: 1 });
      expect(await project.json('link', id, './src/../src/store.ts#open')).toMatchObject({
        linked: 0,
        operation: null,
      });
      for (const none of ['src', 'open', 'nowhere']) {
        expect(await project.run(['link', id, none])).toMatchObject({ status: 2, out: '' });
      }
      expect((await page(project, id)).entities.map(({ content }) => content)).toEqual([
        'src/store.ts#open',
        'view.zig#main',
      ]);
      const refused = await project.run(['link', id, 'src/store.ts#opne']);
      expect(refused).toMatchObject({ status: 2, err: expect.stringContaining('Did you mean "src/store.ts#open') });
      expect(await project.run(['link', id, 'src/none.ts'])).toMatchObject({
        ...{ status: 2, err: expect.stringContaining('is no code that is known here') },
      });
      expect(await project.run(['link', 'd_none', 'src/store.ts'])).toMatchObject({
        ...{ status: 1, err: expect.stringContaining('There is no memory') },
      });
    }));

  it('and undoes nothing of it that somebody has confirmed since', () =>
    withCodeProject(FILES, async (project) => {
      const id = await agentsDecision(project);
      const { operation } = await project.json<{ operation: number }>('link', id, 'src/store.ts#close');
      await project.write('src/store.ts', FILES['src/store.ts'].replace('return 2', 'return 3'));
      await project.ok('verify', id, 'confirm');
      const unchanged = ['src/store.ts#close unchanged', 'src/store.ts#open unchanged'];
      expect(await project.run(['undo', String(operation)])).toMatchObject({
        ...{ status: 1, err: expect.stringContaining('changed since operation') },
      });
      expect((await codeOf(project, id)).sort()).toEqual(unchanged);
      await project.ok('undo');
      await project.ok('undo', String(operation));
      expect(await codeOf(project, id)).toEqual(['src/store.ts#open unchanged']);
    }));

  it('and a shared one says so in its file', () =>
    withCodeProject(FILES, async (project) => {
      const id = await agentsDecision(project);
      await project.ok('share', id);
      const { path } = await project.json<{ path: string }>('link', id, 'src/store.ts#close');
      const file = join(project.folder, path);
      const text = await readFile(file, 'utf8');
      expect(text).toMatch(/about:\n {2}- src\/store\.ts#open\n {2}- src\/store\.ts#close\n/);
      expect(await project.json('link', id, 'src/store.ts#close')).toMatchObject({ linked: 0 });
      expect(await readFile(file, 'utf8')).toBe(text);
      expect((await codeOf(project, id)).sort()).toEqual([
        'src/store.ts#close unchanged',
        'src/store.ts#open unchanged',
      ]);
    }));
});
