import { expect, it } from 'vitest';
import { editorOf, goToLine, openFile } from './support/editors';
import { runProgram, storeElsewhere } from './support/memory';
import { PATIENCE_MS, until } from './support/until';
import { withWorkbench } from './support/workbench';

const WIDE = 'export function wide(value: number): number {\n  value *= 2;\n  return value;\n}\n';
const LONG = `Numbers are doubled, ${'and doubled once more, '.repeat(9)}and no more`;

it('leaves the cursor in sight while somebody types, however long the decision at the end of the line is', () =>
  withWorkbench({ files: { 'wide.ts': WIDE }, size: { width: 1000, height: 700 } }, async (workbench) => {
    await runProgram(workbench, 'svc-memory', 'init');
    await storeElsewhere(workbench, LONG, 'decision', '--entities', 'wide.ts#wide');
    await openFile(workbench, 'wide.ts');
    await goToLine(workbench, 2, 3);
    const editor = editorOf(workbench, 'wide.ts');
    await until('the line says it', PATIENCE_MS, () =>
      editor.evaluate((shown) =>
        [...shown.querySelectorAll('.view-line span span')].some((span) =>
          getComputedStyle(span, '::after').content.startsWith('"Decided: Numbers'),
        ),
      ),
    );
    const { keyboard } = workbench.page;
    await keyboard.press('End');
    for (let line = 0; line < 3; line += 1) {
      await keyboard.press('Enter');
      // Between the keys of a person it comes and goes.
      for (const [i, key] of [...'value /= 12; // or more'].entries()) {
        await keyboard.press(key === ' ' ? 'Space' : key);
        await workbench.page.waitForTimeout(90 + ((i * 67 + line * 31) % 200));
      }
      const content = editor.locator('.lines-content').first();
      expect(await content.evaluate((lines) => (lines as HTMLElement).style.left)).toBe('0px');
    }
    await workbench.screenshot('current-line-typed');
  }));
