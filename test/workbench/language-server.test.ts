import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeLenses, decorationOf, editorOf, goToLine, hoverAt, openFile } from './support/editors';
import { inHost } from './support/host';
import { runProgram, storeElsewhere } from './support/memory';
import { runCommand } from './support/palette';
import { processesIn, programsIn } from './support/processes';
import { PATIENCE_MS, until } from './support/until';
import { notification, pressInNotification } from './support/views';
import { EVERY_SIGNAL, openWorkbench, type Workbench } from './support/workbench';

const STORE = 'export function openStore(): string {\n  return "files";\n}\n';
const SERVER = 'svc-language-server';
/** An extension host ends some seconds after its window, or half a minute where the window could not say that it goes. */
const GONE_MS = 120_000;
/** The goal is 50, which take minutes: `npm run test:long`. */
const RELOADS = Number(process.env.RELOADS ?? 3);
const PATIENCE_FOR_RELOAD_MS = 70_000;
const MOST_GROWTH = 1.25;
/** More than the server keeps a parser that it does not need. */
const PARSER_KEPT_MS = 7_000;

describe('the language server of a window', () => {
  let workbench: Workbench;
  const servers = (): number[] => programsIn(workbench.home, SERVER).map(({ pid }) => pid);
  const running = (): Promise<number> =>
    until('one language server runs', PATIENCE_MS, () => {
      const [pid, ...others] = servers();
      return others.length === 0 && pid;
    });

  beforeAll(async () => {
    const settings = { 'files.autoSave': 'off', ...EVERY_SIGNAL };
    workbench = await openWorkbench({ files: { 'store.ts': STORE, '.git/HEAD': 'ref: refs/heads/main\n' }, settings });
    await runProgram(workbench, 'svc-memory', 'init');
    await runProgram(workbench, 'svc', 'build');
    await storeElsewhere(workbench, 'The store is a folder of files', 'decision', '--entities', 'openStore');
  });
  afterAll(() => workbench?.close());
  // A window counts how often its server died, so the next try begins in a new one.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await workbench.page.reload();
  });

  it('is one process, a plain Node', async () => {
    await openFile(workbench, 'store.ts');
    await codeLenses(workbench, 'Decided: ').waitFor();
    const environment = readFileSync(`/proc/${await running()}/environ`, 'utf8').split('\0');
    expect(environment).toContain('ELECTRON_RUN_AS_NODE=1');
  });

  it('is started again when it is killed, says so clearly, and shows what it showed', async () => {
    const before = await running();
    // Older than what the next server offers: of two that are as strong, the later one stands first.
    await inHost(workbench, ({ languages, Hover }) => {
      const language = { language: 'typescript', scheme: 'file' };
      languages.registerHoverProvider(language, { provideHover: () => new Hover('what the language says') });
    });
    process.kill(before, 'SIGKILL');
    const message = notification(
      workbench,
      'The memory server stopped unexpectedly and was restarted. All stored memories are safe.',
    );
    await message.waitFor();
    await workbench.screenshot('server-restarted-dark');
    // At once: the editor takes a message away after some seconds.
    await pressInNotification(workbench, 'was restarted', 'Show Log');
    await workbench.page.locator('.part.panel .view-line', { hasText: 'started again' }).first().waitFor();
    await until('another one runs', PATIENCE_MS, () => servers().some((pid) => pid !== before));
    // What is asked of the new one, with a text that is not saved.
    await editorOf(workbench, 'store.ts').click();
    await goToLine(workbench, 2, 11);
    await workbench.page.keyboard.type('sql');
    await codeLenses(workbench, '1 memory may be out of date').waitFor();
    await workbench.page.keyboard.press('Control+Z');
    await codeLenses(workbench, 'Decided: ').waitFor();
    await storeElsewhere(workbench, 'Opening it takes 3 ms', 'fact', '--entities', 'openStore');
    await codeLenses(workbench, /Decided: .* · 1 more$/).waitFor();
    expect(await decorationOf(workbench, 'store.ts')).not.toContain('Memories');
    const hover = await hoverAt(workbench, 'openStore', 'The store is a folder of files');
    expect(await hover.textContent()).toMatch(/^what the language says.*The store is a folder of files/s);
  });

  it('is left alone when it dies again and again, until somebody starts it', async () => {
    await runCommand(workbench, 'Notifications: Clear All Notifications');
    for (let died = 1; died < 5; died += 1) {
      const pid = await running();
      await until('it is at work', PATIENCE_MS, () => hasOpen(pid, 'memory.db'));
      process.kill(pid, 'SIGKILL');
      await until('it is gone', PATIENCE_MS, () => !servers().includes(pid));
    }
    const stopped = notification(workbench, 'The memory server stopped 5 times within 3 minutes');
    await stopped.waitFor();
    expect(servers()).toEqual([]);
    await pressInNotification(workbench, 'The memory server stopped 5 times', 'Start Again');
    await running();
    await codeLenses(workbench, /Decided: .* · 1 more$/).waitFor();
  });

  it(
    'leaves neither a process nor memory behind when its window is reloaded again and again',
    async () => {
      const { page, home } = workbench;
      const reload = async (): Promise<void> => {
        const before = servers();
        await page.reload();
        await until('the new window has a language server at work', GONE_MS, () =>
          servers().some((pid) => !before.includes(pid) && hasOpen(pid, 'memory.db')),
        );
        await codeLenses(workbench, /Decided: .* · 1 more$/).waitFor();
      };
      await reload();
      const settled = (): Promise<unknown> =>
        until('the windows before are gone', GONE_MS, () => servers().length === 1);
      await settled();
      const before = await memoryAtRest(await running());
      const processes = processesIn(home).length;
      for (let reloads = 0; reloads < RELOADS; reloads += 1) await reload();
      await settled();
      await until('there are no more processes than before', GONE_MS, () => processesIn(home).length <= processes);
      expect(await memoryAtRest(await running())).toBeLessThan(before * MOST_GROWTH);
    },
    RELOADS * PATIENCE_FOR_RELOAD_MS + 240_000,
  );
});

function hasOpen(pid: number, name: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((one) => readlinkSync(`/proc/${pid}/fd/${one}`).endsWith(name));
  } catch {
    return false; // it was closed meanwhile
  }
}

/** In bytes, once it has read its files and given the parser back, which it keeps for some seconds. */
async function memoryAtRest(pid: number): Promise<number> {
  let before = resident(pid);
  await until('its memory is at rest', GONE_MS, async () => {
    await new Promise((done) => setTimeout(done, PARSER_KEPT_MS));
    const [last, now] = [before, resident(pid)];
    before = now;
    return Math.abs(now - last) < now / 20;
  });
  return before;
}

/** In bytes. */
function resident(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
