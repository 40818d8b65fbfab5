import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from './support/command-line';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { quickInput } from './support/palette';
import { PATIENCE_MS, until } from './support/until';
import { isSaid, notification, openView } from './support/views';
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

  beforeAll(async () => {
    workbench = await openWorkbench({ files: { 'src/cache.ts': 'export const SIZE = 1;\n' } });
    await runProgram(workbench, 'svc-memory', 'init');
    const id = await storeElsewhere(workbench, 'Nothing is lost', 'fact');
    await runProgram(workbench, 'svc-memory', 'share', id);
    await openView(workbench, 'Agent Memory');
  });
  afterAll(() => workbench?.close());

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
});
