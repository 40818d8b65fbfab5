import { mkdir, rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type CommandLine, withCommandLine } from '../support/command-line';
import { withEditor } from '../support/editor-client';
import { connectServer } from '../support/stdio-client';

const FOLDER = '.svc/memories';
const RECORD = '---\nkind: fact\ndate: 2026-03-01\nid: f_bakilomu\n---\n\nPorts are opened by the proxy alone\n';

const share = async (line: Pick<CommandLine, 'path'>): Promise<void> => {
  await mkdir(line.path(FOLDER), { recursive: true });
  await writeFile(line.path(FOLDER, 'ports.md'), RECORD);
};

/** As a fresh clone is: with the files, and without a store. */
const withClone = (work: (line: CommandLine) => Promise<void>): Promise<void> =>
  withCommandLine(async (line) => {
    await share(line);
    await work(line);
  });

test('a person is told that shared memories are not read, and what reads them', () =>
  withClone(async (line) => {
    const told =
      '1 shared memory in .svc/memories is not read, because this folder has no store: "svc-memory init" makes one.';
    expect(await line.run(['recall', 'ports'])).toMatchObject({ err: expect.stringContaining(told) });
    for (const status of [await line.ok(), await line.ok('status')]) {
      expect(status).toMatch(/^shared +1 memory in .svc\/memories, not read: there is no store here yet$/m);
    }
    expect(await line.run(['doctor'])).toMatchObject({
      status: 1,
      out: expect.stringMatching(
        /1\s+shared\s+memory\s+in\s+.svc\/memories\s+cannot\s+be\s+read\s+without\s+a\s+store/,
      ),
    });
    expect(await line.run(['trust', '--yes'])).toMatchObject({
      status: 1,
      err: expect.stringMatching(/1 shared memory in .svc\/memories, and no store.*\n?.*"svc-memory init" first/s),
    });
    await line.ok('init');
    expect(await line.run(['recall', 'ports'])).toMatchObject({
      out: expect.stringContaining('opened by the proxy'),
      err: expect.not.stringContaining('not read'),
    });
    expect(await line.json('status')).toMatchObject({ shared_not_read: 0 });
  }));

test('an agent is told so, and not that nothing is remembered', () =>
  withClone(async (line) => {
    const answers = async (env: Record<string, string> = {}): Promise<string[]> => {
      const server = await connectServer(line, { env });
      const ask = (query: string) => server.text('memory_recall', { query });
      const texts = [await ask('project context'), await ask('who opens ports')];
      await server.close();
      return texts;
    };
    const hook = async () => (await line.run(['hook', 'session-start'], { input: '{}' })).out;
    for (const text of [...(await answers()), await hook()]) {
      expect(text).toContain(
        'This project has shared memories in .svc/memories, which are not read: it has no store yet.',
      );
    }
    // What stands in for a store that the first write makes reads them.
    const onFirstWrite = { SVC_MEMORY_DB: line.path('.svc/memory.db'), SVC_CREATE_STORE: 'on-write' };
    const standIn = await answers(onFirstWrite);
    expect(standIn.join('\n')).toContain('opened by the proxy');
    expect(standIn.join('\n')).not.toContain('not read');
    await line.ok('init');
    for (const text of [...(await answers()), await hook()]) expect(text).not.toContain('not read');
  }));

test('the editor knows of them before there is a store', () =>
  withEditor(async (editor, project) => {
    const state = async () => (await editor.request('svc/folderState', { folder: editor.uri('.') })).store;
    await rm(project.path('.svc'), { recursive: true });
    expect(await state()).toMatchObject({ exists: false, shared: null });
    await share(project);
    expect(await state()).toMatchObject({ exists: false, shared: 'not read' });
    await editor.call('memory_store', { content: 'kept', kind: 'fact' });
    expect(await state()).toMatchObject({ exists: true, shared: 'foreign' });
  }));
