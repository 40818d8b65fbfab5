import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './support/command-line';
import { editorOf, openFile, webview } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { isSaid, notification, openView, treeRows, unfoldTo, unnamedSessions } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const MEANWHILE = 'This memory was changed meanwhile. Look at it again.';

interface Note {
  readonly content: string;
  readonly about?: readonly string[];
  readonly why?: string;
  readonly rejected?: readonly string[];
  readonly confidence?: number;
}

describe('what others change while a person is at work', () => {
  let workbench: Workbench;
  const pathOf = (name: string): string => join(workbench.folder, '.svc/memories', name);
  /** A memory that a teammate wrote, or has changed. */
  const write = (id: string, { content, about = [], why, rejected = [], confidence = 1 }: Note): void => {
    const parts = [
      ['---', 'kind: fact', `id: ${id}`, ...(about.length > 0 ? ['about:', ...about.map((one) => `  - ${one}`)] : [])],
      [`confidence: ${confidence}`, '---', '', content],
      why === undefined ? [] : ['', '## Why', '', why],
      rejected.length === 0 ? [] : ['', '## Rejected', '', ...rejected.map((one) => `* ${one}`)],
    ];
    writeFileSync(pathOf(`${id}.md`), `${parts.flat().join('\n')}\n`);
  };
  const run = (command: string, nodeId: string): Promise<void> =>
    inHost(
      workbench,
      ({ commands, workspace }, [name, id]) => {
        const folder = workspace.workspaceFolders?.[0]?.uri.toString();
        void commands.executeCommand(name, { folder, nodeId: id });
      },
      [command, nodeId] as const,
    );
  const box = (said: string): Promise<unknown> =>
    until(`the box has "${said}"`, PATIENCE_MS, async () => {
      return (await quickInput(workbench).isVisible()) && (await quickInput(workbench).inputValue()) === said;
    });
  const prompt = (text: string) => workbench.page.locator('.quick-input-widget:visible', { hasText: text });
  const enter = async (typed?: string): Promise<void> => {
    if (typed !== undefined) await quickInput(workbench).fill(typed);
    await quickInput(workbench).press('Enter');
  };
  const told = async (text: string): Promise<void> => {
    await isSaid(workbench, text);
    await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    await notification(workbench, text).first().waitFor({ state: 'detached' });
  };
  const said = async (letters: string): Promise<object> => {
    const [{ id }] = JSON.parse(await commandLine(workbench, 'nodes', '--letters', letters, '--json')) as [
      { id: string },
    ];
    return JSON.parse(await commandLine(workbench, 'node', id, '--json')) as object;
  };
  const undoByKey = (): Promise<void> =>
    inHost(workbench, ({ commands }) => void commands.executeCommand('agentMemory.undo', { onlyHere: true }));
  const fileOf = (start: string): string => {
    const name = readdirSync(join(workbench.folder, '.svc/memories')).find((each) => each.startsWith(start));
    return pathOf(name ?? start);
  };

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'src/cache.ts': 'export const SIZE = 1;\n' } });
    await runProgram(workbench, 'svc-memory', 'init');
    const id = await storeElsewhere(workbench, 'Nothing is lost', 'fact');
    await runProgram(workbench, 'svc-memory', 'share', id);
    await openView(workbench, 'Agent Memory');
  });
  afterAll(() => workbench?.close());

  it('leaves the keys in the text where a person writes when the row of an undo comes back', async () => {
    const { keyboard } = workbench.page;
    const id = await storeElsewhere(workbench, 'Locks are advisory', 'fact');
    const row = treeRows(workbench, 'Locks are advisory', 'Sessions').first();
    await unfoldTo(unnamedSessions(workbench).first(), row);
    await row.click();
    await webview(workbench).locator('p.content', { hasText: 'Locks are advisory' }).waitFor();
    await keyboard.press('Delete');
    await notification(workbench, 'Forgotten: Locks are advisory').waitFor();
    await keyboard.press('Control+z');
    await notification(workbench, 'Undone. Remembered again: Locks are advisory').waitFor();
    await row.waitFor();
    await openFile(workbench, 'src/cache.ts');
    await editorOf(workbench, 'src/cache.ts').locator('.view-line').first().click();
    // A list that is read late gets its row now.
    await inHost(
      workbench,
      ({ commands }, nodeId) => commands.executeCommand('agentMemory.keyUndone', undefined, [nodeId]),
      id,
    );
    await keyboard.type('y');
    await until('the letter is in the text', PATIENCE_MS, () =>
      inHost(workbench, ({ window }) => window.activeTextEditor?.document.getText().includes('y')),
    );
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  });

  it('is not dropped from a memory that is rewritten, nor is what was typed', async () => {
    write('f_cache', { content: 'The cache is small' });
    await run('agentMemory.supersede', 'f_cache');
    await box('The cache is small');
    await quickInput(workbench).fill('The cache is large');
    write('f_cache', { content: 'The cache is small', why: 'It is asked often', rejected: ['Redis'] });
    await enter();
    await told(MEANWHILE);
    await box('The cache is large');
    await enter();
    // Nobody has typed there, so it is what the teammate wrote.
    await box('It is asked often');
    await enter('It is asked always');
    await box('Redis');
    write('f_cache', { content: 'The cache is small', why: 'It is asked rarely', rejected: ['Redis', 'Valkey'] });
    await enter();
    await told(MEANWHILE);
    await box('The cache is large');
    await enter();
    await box('It is asked always');
    await prompt('Changed meanwhile. Enter puts what you typed in the place of: It is asked rarely').waitFor();
    await enter();
    await box('Redis; Valkey');
    await prompt('Enter keeps it as it is.').waitFor();
    // Nobody is asked for what it is about.
    const now = { why: 'It is asked rarely', rejected: ['Redis', 'Valkey'], about: ['src/cache.ts'] };
    write('f_cache', { content: 'The cache is small', ...now });
    await enter();
    await isSaid(workbench, 'Rewritten in .svc/memories, to be committed: The cache is large');
    expect(await said('cache is large')).toMatchObject({
      rationale: 'It is asked always',
      alternatives_rejected: ['Redis', 'Valkey'],
      entities: [{ content: 'src/cache.ts' }],
    });
  });

  it('leaves what was typed in the box, also where the memory is gone', async () => {
    write('f_lamp', { content: 'The lamp is on' });
    await run('agentMemory.supersede', 'f_lamp');
    await box('The lamp is on');
    await quickInput(workbench).fill('The lamp is off');
    rmSync(pathOf('f_lamp.md'));
    await enter();
    await told('This memory is not here.');
    await box('The lamp is off');
    await workbench.page.keyboard.press('Escape');
  });

  it('is told on the page before it is overwritten, also where it is the reason alone', async () => {
    write('f_disk', { content: 'The disk is full', why: 'It is small', rejected: ['a tape'] });
    await run('agentMemory.openMemory', 'f_disk');
    const explorer = webview(workbench);
    await explorer.locator('p.content', { hasText: 'The disk is full' }).waitFor();
    await explorer.getByRole('button', { name: 'Rewrite…' }).click();
    await explorer.getByLabel('Why (optional)').fill('Nobody tidies');
    write('f_disk', { content: 'The disk is full', why: 'It is slow', rejected: ['a tape', 'a cloud'] });
    await explorer.getByRole('button', { name: 'Save' }).click();
    await explorer
      .locator('.announcement', { hasText: 'was changed meanwhile. Look at it, and save again.' })
      .waitFor();
    await explorer.locator('article', { hasText: 'It is slow' }).waitFor();
    await until('what is rejected is there', PATIENCE_MS, async () => {
      return (await explorer.locator('#new-rejected').inputValue()) === 'a tape\na cloud';
    });
    await explorer.getByRole('button', { name: 'Save' }).click();
    await explorer.locator('article', { hasText: 'Nobody tidies' }).waitFor();
    expect(await said('disk is full')).toMatchObject({
      rationale: 'Nobody tidies',
      alternatives_rejected: ['a tape', 'a cloud'],
    });
  });

  it('leaves what was typed on the page of a memory that is closed meanwhile', async () => {
    const id = await storeElsewhere(workbench, 'The bell is quiet', 'fact');
    await run('agentMemory.openMemory', id);
    const explorer = webview(workbench);
    await explorer.locator('p.content', { hasText: 'The bell is quiet' }).waitFor();
    await explorer.getByRole('button', { name: 'Rewrite…' }).click();
    await explorer.locator('#new-content').fill('The bell rings at noon');
    await runProgram(workbench, 'svc-memory', 'forget', id);
    await explorer.locator('form', { hasText: 'This memory is no longer open' }).waitFor();
    expect(await explorer.locator('#new-content').inputValue()).toBe('The bell rings at noon');
    expect(await explorer.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await workbench.screenshot('explorer-form-of-closed');
    await explorer.getByRole('button', { name: 'Restore' }).click();
    await explorer.getByRole('button', { name: 'Save' }).click();
    await explorer.locator('p.content', { hasText: 'The bell rings at noon' }).waitFor();
  });

  it('does nothing to one that is forgotten by now, and says so', async () => {
    const id = await storeElsewhere(workbench, 'The tap drips', 'fact');
    await runProgram(workbench, 'svc-memory', 'forget', id);
    await run('agentMemory.forget', id);
    await isSaid(workbench, 'Nothing was done, because this one is forgotten already: The tap drips');
  });

  it('keeps nothing from being undone once its file is as it was', async () => {
    const first = await storeElsewhere(workbench, 'The fan is loud', 'fact');
    await run('agentMemory.forget', first);
    await isSaid(workbench, 'Forgotten: The fan is loud');
    const id = await storeElsewhere(workbench, 'The door is open', 'fact');
    await run('agentMemory.shareInRepository', id);
    await isSaid(workbench, 'Shared in .svc/memories, to be committed: The door is open');
    const path = fileOf('the-door-is-open');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('open', 'half open'));
    await undoByKey();
    await told('was changed since. Take back that change first, and undo again.');
    writeFileSync(path, text);
    await undoByKey();
    await until('the sharing is undone', PATIENCE_MS, () => !existsSync(path));
    // And not what was done before it.
    expect(await commandLine(workbench, 'nodes', '--json')).not.toContain(first);
  });

  it.each(['f_one', 'f_three'])(
    'is named where it keeps %s of a step from being undone, until it is',
    async (edited) => {
      const ids = ['f_one', 'f_two', 'f_three'];
      for (const id of ids) write(id, { content: `The lift ${id} works`, confidence: 0.5 });
      const path = pathOf(`${edited}.md`);
      const before = readFileSync(path, 'utf8');
      const runOnAll = (command: string): Promise<void> =>
        inHost(
          workbench,
          async ({ commands, workspace }, [name, ...nodeIds]) => {
            const folder = workspace.workspaceFolders?.[0]?.uri.toString();
            await commands.executeCommand(name ?? '', { folder, namespace: 'default', nodeIds });
          },
          [command, ...ids],
        );
      await runOnAll('agentMemory.confirm');
      await isSaid(workbench, 'Still true: 3 memories. Changed in .svc/memories, to be committed.');
      const confirmed = readFileSync(path, 'utf8');
      expect(confirmed).not.toBe(before);
      writeFileSync(path, confirmed.replace('works', 'waits'));
      await undoByKey();
      await isSaid(workbench, 'Undone. 2 memories are as they were before.');
      await told(
        `Not undone: .svc/memories/${edited}.md was changed since. Take back that change first, and undo again.`,
      );
      writeFileSync(path, confirmed);
      await undoByKey();
      await isSaid(workbench, `Undone. As it was before: The lift ${edited} works`);
      expect(readFileSync(path, 'utf8')).toBe(before);
      // What was taken back before is nothing that is to be told.
      expect(await notification(workbench, 'That was undone already.').count()).toBe(0);
      writeFileSync(path, before.replace('works', 'waits'));
      await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.redo'));
      await told(
        `Not redone: .svc/memories/${edited}.md was changed since. Take back that change first, and redo again.`,
      );
      await runOnAll('agentMemory.forget');
      await isSaid(workbench, 'Forgot 3 memories. Changed in .svc/memories, to be committed.');
      await inHost(workbench, ({ commands }) => commands.executeCommand('notifications.clearAll'));
    },
  );
});
