/** Drives a real editor, in a process of its own: what drives it is no script of CommonJS. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeLenses, editorOf, goToLine, openFile } from '../workbench/support/editors';
import { inHost } from '../workbench/support/host';
import { runCommand } from '../workbench/support/palette';
import { PATIENCE_MS, until } from '../workbench/support/until';
import { endSharedBrowser, type Workbench, withWorkbench } from '../workbench/support/workbench';
import { ended, program } from './programs';
import { type Timing, timed, timing } from './timing';
import type { WindowSpeed } from './window';
import { FILES, FUNCTIONS, LINES_OF_FUNCTION } from './window';

const LARGE = 'src/large.ts';
const SMALL = 'src/part0/module0.ts';
const MEMORIES = 80;
/** What is typed must not reach the file, which is checked out afterwards. */
const SETTINGS = { 'files.autoSave': 'off' };

/** Opens as many windows, and presses as many keys. */
async function measure(windows: number, presses: number): Promise<WindowSpeed> {
  const own = await withWorkbench(
    { measured: true, settings: SETTINGS, prepare: (folder) => prepare(folder, true) },
    async (workbench) => {
      await openFile(workbench, LARGE);
      await codeLenses(workbench, /Decided/)
        .first()
        .waitFor();
      const firsts: FirstLens[] = [];
      const activations: Activation[] = [];
      for (let i = 0; i < windows; i++) {
        firsts.push(await firstLens(workbench));
        activations.push(await activationOf(workbench));
      }
      const lens = timing(firsts.map(({ fromText }) => fromText));
      const lensOfReady = timing(firsts.map(({ fromReady }) => fromReady));
      const keys = await type(workbench, presses);
      const followed = (): Promise<void> =>
        // The editor keeps lenses of lines that are out of sight, hidden.
        codeLenses(workbench, /out of date/)
          .filter({ visible: true })
          .first()
          .waitFor();
      const checkouts = await checkOutAgain(workbench, followed);
      const pauseSmall = (await checkOutWithSmallFile(workbench, followed)).pause;
      const activation = timing(activations.map(({ own }) => own));
      const activationSmall = timing(activations.map(({ small }) => small));
      return { lens, lensOfReady, activation, activationSmall, keys, ...checkouts, pauseSmall };
    },
  );
  const other = await withWorkbench(
    { measured: true, settings: SETTINGS, prepare: (folder) => prepare(folder, false) },
    async (workbench) => {
      await openFile(workbench, LARGE);
      const keys = await type(workbench, presses);
      const { pause } = await checkOutAgain(workbench, async () => {});
      return { keys, pause, pauseSmall: (await checkOutWithSmallFile(workbench, async () => {})).pause };
    },
  );
  const without = { keysWithout: other.keys, pauseWithout: other.pause, pauseSmallWithout: other.pauseSmall };
  return { ...own, ...without };
}

async function prepare(folder: string, remembers: boolean): Promise<void> {
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: folder });
  };
  const sources = (version: number): void => {
    write(LARGE, Array.from({ length: FUNCTIONS }, (_, i) => functionOf(i, version)).join('\n'));
    for (let i = 0; i < FILES; i++) write(`src/part${i % 25}/module${i}.ts`, functionOf(i, version));
  };
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, '.git/info/exclude'), '.svc\n');
  sources(1);
  git('add', '-A');
  git('commit', '--quiet', '-m', 'start');
  git('checkout', '--quiet', '-b', 'other');
  sources(2);
  git('commit', '--quiet', '-a', '-m', 'change');
  git('checkout', '--quiet', 'main');
  if (!remembers) return;
  // The home of the editor that opens it.
  const place = { project: folder, environment: { HOME: join(dirname(folder), 'home') } };
  await ended(place, [program('svc-memory'), 'init']);
  await ended(place, [program('svc'), 'build', '--json']);
  const nodes = Array.from({ length: MEMORIES }, (_, i) => ({
    content: `Step ${i} is taken in one go`,
    kind: i % 2 === 0 ? 'decision' : 'fact',
    entities: [i === MEMORIES - 2 ? `${SMALL}#step0` : `${LARGE}#step${i * 5}`],
  }));
  await ended(place, [program('svc-memory'), 'import', '-'], JSON.stringify(nodes));
  // What comes with a file waits for a person.
  await ended(place, [program('svc-memory'), 'review', 'keep', '--source', '1', '--yes']);
}

function functionOf(i: number, version: number): string {
  const lines = Array.from({ length: LINES_OF_FUNCTION - 3 }, (_, line) => `  total += ${line} * value - ${version};`);
  return [`export function step${i}(value: number): number {`, '  let total = 0;', ...lines, '  return total;\n}'].join(
    '\n',
  );
}

/** Until the first lens, in milliseconds. */
interface FirstLens {
  readonly fromText: number;
  /** From when extensions run in the window: one that does nothing else says so. */
  readonly fromReady: number;
}

/** Opens the window again, with the file. */
async function firstLens(workbench: Workbench): Promise<FirstLens> {
  const { page, url, folder, probeFile } = workbench;
  const file = `vscode-remote://${new URL(url).host}${folder}/${LARGE}`;
  rmSync(probeFile, { force: true });
  await page.goto(`${url}&payload=${encodeURIComponent(JSON.stringify([['openFile', file]]))}`);
  const ready = until('extensions run', PATIENCE_MS, () => (existsSync(probeFile) ? performance.now() : undefined));
  await editorOf(workbench, LARGE).locator('.view-line', { hasText: 'function step' }).first().waitFor();
  const text = performance.now();
  await codeLenses(workbench, /Decided/)
    .first()
    .waitFor();
  const lens = performance.now();
  return { fromText: lens - text, fromReady: lens - (await ready) };
}

/** Small, and the editor's own. */
const SMALL_EXTENSION = 'Merge Conflict';

interface Activation {
  readonly own: number;
  readonly small: number;
}

/** As the editor shows it, in milliseconds. */
async function activationOf(workbench: Workbench): Promise<Activation> {
  await runCommand(workbench, 'Developer: Show Running Extensions');
  const rows = workbench.page.locator('.runtime-extensions-editor .monaco-list-row');
  const shown = async (name: string): Promise<number> => {
    const text = await rows
      .filter({ hasText: name })
      .getByText(/Activation: \d+ms/)
      .textContent();
    return Number(/(\d+)ms/.exec(text ?? '')?.[1]);
  };
  const activation = { own: await shown('Agent Memory'), small: await shown(SMALL_EXTENSION) };
  await inHost(workbench, async ({ commands }) => {
    await commands.executeCommand('workbench.action.closeActiveEditor');
  });
  return activation;
}

/** How long each of some letters takes, in the middle of the file. */
async function type(workbench: Workbench, count: number): Promise<Timing> {
  const { page } = workbench;
  await goToLine(workbench, (LINES_OF_FUNCTION * FUNCTIONS) / 2 + 3, 3);
  await page.keyboard.type('// ');
  const times: number[] = [];
  let typed = '';
  for (let i = 0; i < count; i++) {
    const letter = String.fromCharCode(97 + (i % 26));
    typed += letter;
    const start = performance.now();
    await page.keyboard.press(letter);
    await page.locator('.view-line', { hasText: typed }).first().waitFor();
    times.push(performance.now() - start);
    if (typed.length === 20) {
      typed = '';
      await page.keyboard.type(' ');
    }
  }
  await page.keyboard.press('Escape');
  await inHost(workbench, async ({ commands }) => {
    await commands.executeCommand('workbench.action.files.revert');
  });
  return timing(times);
}

/** Longer than the editor takes to hear of all files. */
const WATCHED_MS = 5_000;
/** There and back: one alone says little of a shared machine. */
const CHECKOUTS = 6;

type Checkouts = Pick<WindowSpeed, 'pause' | 'followed'>;

/** Checks the other branch out beside the editor, and the first one again, several times. */
async function checkOutAgain(workbench: Workbench, untilFollowed: () => Promise<void>): Promise<Checkouts> {
  // The editor drops lenses with the text that is replaced, and what is further down moves up by their lines, away
  // from the function whose lens is waited for.
  await goToLine(workbench, 1, 1);
  const pauses: number[] = [];
  const followed: number[] = [];
  for (let i = 0; i < CHECKOUTS; i++) {
    const isThere = i % 2 === 0;
    const one = await checkOut(workbench, isThere ? 'other' : 'main', isThere ? untilFollowed : async () => {});
    pauses.push(one.pause);
    if (isThere) followed.push(one.followed);
    // What it has begun is over.
    await new Promise((done) => setTimeout(done, WATCHED_MS));
  }
  return { pause: timing(pauses), followed: timing(followed).p50 };
}

async function checkOut(
  { page, folder }: Workbench,
  branch: string,
  untilFollowed: () => Promise<void>,
): Promise<{ readonly pause: number; readonly followed: number }> {
  await page.evaluate(WATCH_FRAMES);
  execFileSync('git', ['checkout', '--quiet', branch], { cwd: folder });
  const [{ ms: followed }] = await Promise.all([
    timed(untilFollowed),
    new Promise((done) => setTimeout(done, WATCHED_MS)),
  ]);
  return { pause: await page.evaluate<number>('globalThis.longestPause'), followed };
}

/** The same with a file of one function open: what the editor draws again is little then. */
async function checkOutWithSmallFile(workbench: Workbench, untilFollowed: () => Promise<void>): Promise<Checkouts> {
  await inHost(workbench, async ({ commands }) => {
    await commands.executeCommand('workbench.action.closeAllEditors');
  });
  await openFile(workbench, SMALL);
  await new Promise((done) => setTimeout(done, WATCHED_MS));
  return checkOutAgain(workbench, untilFollowed);
}

/** As text: what runs in the page has a page's types. */
const WATCH_FRAMES = `
  globalThis.longestPause = 0;
  let before = performance.now();
  const look = () => {
    const now = performance.now();
    globalThis.longestPause = Math.max(globalThis.longestPause, now - before);
    before = now;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

const [windows = '', keys = ''] = process.argv.slice(2);
try {
  process.stdout.write(`\n${JSON.stringify(await measure(Number(windows), Number(keys)))}\n`);
} finally {
  await endSharedBrowser();
}
