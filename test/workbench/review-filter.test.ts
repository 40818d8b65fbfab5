import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goToLine, openFile } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput, quickInputRows, runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification, openView, treeRows } from './support/views';
import { openWorkbench, type Workbench } from './support/workbench';

const step = (name: string, what: string): string => `export function ${name}(): string {\n  return "${what}";\n}\n`;
const FILES = {
  'src/delay.ts': 'export const RESPONSE_TIME = 10;\n',
  'src/loop.ts': step('loop', 'again and again'),
  'src/turn.ts': step('turn', 'to the left side'),
  'src/clock.ts': step('tick', 'one second more'),
};
const NEAR = 'A node server answers after a delay of 20 ms, so that pages feel quick';
const SAME = 'The store is one SQLite file';
const DOUBT = 'Both of them are pure';
const PROPOSED = 'A tick takes a second';

describe('what waits in Review', () => {
  let workbench: Workbench;
  const rows = (text: string) => treeRows(workbench, text, 'Review').first();
  const store = (content: string, kind: string, ...entities: readonly string[]) =>
    storeElsewhere(workbench, content, kind, ...entities.flatMap((one) => ['--entities', one]));

  beforeAll(async () => {
    workbench = await openWorkbench({ files: FILES, size: { width: 1280, height: 900 } });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    await store(NEAR.replace('20', '10'), 'decision', 'src/delay.ts#RESPONSE_TIME');
    await store(NEAR, 'decision', 'src/delay.ts#RESPONSE_TIME');
    await store(SAME, 'fact', 'src/clock.ts#tick');
    await store('One SQLite file is the store', 'fact', 'src/clock.ts#tick');
    await store(DOUBT, 'preference', 'src/loop.ts#loop', 'src/turn.ts#turn');
    const proposed = [{ kind: 'decision', content: PROPOSED, entities: ['tick()'] }];
    writeFileSync(join(workbench.folder, 'one.json'), JSON.stringify(proposed));
    await runProgram(workbench, 'svc-memory', 'import', 'one.json');
    writeFileSync(join(workbench.folder, 'src/loop.ts'), step('loop', 'never again'));
    writeFileSync(join(workbench.folder, 'src/turn.ts'), step('turn', 'to the right side'));
    await openView(workbench, 'Agent Memory');
    await rows(DOUBT).waitFor();
    await rows(PROPOSED).waitFor();
    await runCommand(workbench, 'Agent Memory: Find Near-Duplicates');
    await rows(NEAR).waitFor();
    await rows(SAME).waitFor();
  });
  afterAll(() => workbench?.close());

  it.each([
    ['@delay', [NEAR]],
    [':decision @delay', [NEAR]],
    ['#RESPONSE_TIME pages', [NEAR]],
    ['@clock', [SAME, PROPOSED]],
    [':decision #tick', [PROPOSED]],
    ['@loop', [DOUBT]],
    ['@turn #turn', [DOUBT]],
    [':preference', [DOUBT]],
    ['@nowhere', []],
  ])('is what the filter "%s" lets through, as in the lists of memories', async (typed, shown) => {
    await runCommand(workbench, 'Agent Memory: Filter Side Bar…');
    await quickInput(workbench).fill(typed);
    await workbench.page.keyboard.press('Enter');
    const all = [NEAR, SAME, DOUBT, PROPOSED];
    for (const text of all.filter((one) => !shown.includes(one))) await rows(text).waitFor({ state: 'detached' });
    for (const text of shown) await rows(text).waitFor();
  });

  it('stands last where somebody asks about a symbol', async () => {
    await openFile(workbench, 'src/clock.ts');
    await goToLine(workbench, 2, 5);
    await runCommand(workbench, 'Agent Memory: Ask About Symbol at Cursor');
    await quickInputRows(workbench).filter({ hasText: 'Ask Like an Agent' }).waitFor();
    const texts = await quickInputRows(workbench).allTextContents();
    expect(texts.map((text) => [SAME, 'One SQLite file', PROPOSED].find((one) => text.includes(one)))).toEqual([
      ...['One SQLite file', SAME, PROPOSED, undefined],
    ]);
  });

  it('takes no key for a letter of the code that is open while its first page is being read', async () => {
    const { keyboard } = workbench.page;
    const title = workbench.page.locator('.tab.active .label-name', { hasText: '(1 of 1)' });
    const focus = (): Promise<unknown> =>
      // No click, by which somebody says where to work.
      inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.focusActiveEditorGroup'));
    /** A person is slower than the answer that it has begun. */
    const start = (command: string, nodeId?: string): Promise<void> =>
      inHost(
        workbench,
        async ({ commands, workspace }, [name = '', id]) => {
          const folder = workspace.workspaceFolders?.[0]?.uri.toString();
          void commands.executeCommand(
            name,
            ...(id === undefined ? [] : [{ folder, namespace: 'default', nodeId: id }]),
          );
          await new Promise((resolve) => setImmediate(resolve));
          await commands.executeCommand('noop');
        },
        [command, ...(nodeId === undefined ? [] : [nodeId])],
      );
    const code = (): Promise<string | undefined> =>
      inHost(workbench, ({ workspace }) =>
        workspace.textDocuments.find(({ uri }) => uri.path.endsWith('/src/clock.ts'))?.getText(),
      );
    /** As a person sees that keys are letters again. */
    const lettersAreTyped = async (): Promise<void> => {
      await focus();
      await keyboard.press('Control+Home');
      await keyboard.type('ynrisupo');
      await until('the letters are in the text', PATIENCE_MS, async () => (await code())?.startsWith('ynrisupo'));
      // It may be saved by now, so that nothing is there to be reverted.
      for (const _ of 'ynrisupo') await keyboard.press('Backspace');
      await until('the text is as it was', PATIENCE_MS, async () => (await code()) === FILES['src/clock.ts']);
    };
    await openFile(workbench, 'src/clock.ts');
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.keepEditor'));
    await focus();
    await start('agentMemory.startReview');
    await keyboard.press('s');
    await title.waitFor();
    expect(await code()).toBe(FILES['src/clock.ts']);
    // Nobody had seen this page by then. Keys count now.
    await workbench.page.locator('.monaco-diff-editor .editor.modified .monaco-editor.focused').waitFor();
    await keyboard.press('s');
    await notification(workbench, /^[^(]*Left for later: 1\./).waitFor();
    await lettersAreTyped();
    // Nor does a key settle the row that was clicked.
    await inHost(workbench, ({ commands }) => commands.executeCommand('agentMemory.clearFilter'));
    await rows(DOUBT).click();
    await keyboard.press('y');
    await title.waitFor();
    await rows(DOUBT).waitFor();
    await inHost(workbench, ({ commands }) => commands.executeCommand('workbench.action.closeActiveEditor'));
    await lettersAreTyped();
    await start('agentMemory.showChange', 'f_none');
    await notification(workbench, /f_none/)
      .first()
      .waitFor();
    await lettersAreTyped();
  });
});
