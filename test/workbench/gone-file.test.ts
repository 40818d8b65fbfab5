import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { codeLenses, editorOf, goToLine, openFile } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { runCommand } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { notification } from './support/views';
import { withWorkbench } from './support/workbench';

it('a tab whose file was moved by another program says nothing, and nothing is remembered on it', () =>
  withWorkbench({ files: { 'wide.ts': 'export function wide() {\n  return 2;\n}\n' } }, async (workbench) => {
    const [before, after] = ['wide.ts', 'wider.ts'].map((name) => join(workbench.folder, name)) as [string, string];
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    await storeElsewhere(workbench, 'It is wide', 'decision', '--entities', 'wide.ts#wide');
    await openFile(workbench, 'wide.ts');
    await codeLenses(workbench, 'Decided: It is wide').waitFor();
    await goToLine(workbench, 2, 3);
    const isOnLine = () =>
      editorOf(workbench, 'wide.ts').evaluate((shown) =>
        [...shown.querySelectorAll('.view-line span span')].some((span) =>
          getComputedStyle(span, '::after').content.startsWith('"Decided: It is wide'),
        ),
      );
    await until('the line says it', PATIENCE_MS, isOnLine);
    renameSync(before, after);
    await until('the lens goes', PATIENCE_MS, async () => (await codeLenses(workbench).count()) === 0);
    await until('the line says it no more', PATIENCE_MS, async () => !(await isOnLine()));
    for (const title of ['Remember Selection…', 'Ask About Symbol at Cursor']) {
      await runCommand(workbench, `Agent Memory: ${title}`);
      const said = notification(workbench, 'This file is not there any more.');
      await said.first().waitFor();
      await runCommand(workbench, 'Notifications: Clear All Notifications');
      await until('it is closed', PATIENCE_MS, async () => (await said.count()) === 0);
    }
    renameSync(after, before);
    await codeLenses(workbench, 'Decided: It is wide').waitFor();
    await until('the line says it again', PATIENCE_MS, isOnLine);
    expect(await codeLenses(workbench).count()).toBe(1);
  }));
