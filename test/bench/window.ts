import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { atMost, type Goal, milliseconds, pairOf, plain } from './goals';
import { ROOT } from './servers';
import { table } from './table';
import type { Timing } from './timing';

/** What a person sees of the extension in a window of a real editor, in milliseconds. */
export interface WindowSpeed {
  /** From the text of a file in a window that was opened again until its first lens. */
  readonly lens: Timing;
  /** The same from when extensions run in the window. */
  readonly lensOfReady: Timing;
  /** What the editor waits for when the window opens: to load the extension and to call `activate`, as it counts that. */
  readonly activation: Timing;
  /** The same of a small extension that comes with the editor, in the same windows. */
  readonly activationSmall: Timing;
  /** From a key until its letter is on the page, in a file of 5,400 lines, with memories and in the same folder without. */
  readonly keys: Timing;
  readonly keysWithout: Timing;
  /** The longest times without a frame while a branch of 1,000 changed files is checked out, there and back. */
  readonly pause: Timing;
  readonly pauseWithout: Timing;
  /** The same with a file of one function open in place of the large one. */
  readonly pauseSmall: Timing;
  readonly pauseSmallWithout: Timing;
  /** From the end of that checkout until the lens says that the code has changed. */
  readonly followed: number;
}

export const LINES_OF_FUNCTION = 12;
export const FUNCTIONS = 450;
export const FILES = 1_000;
const LENS_MS = 2_000;
const ACTIVATION_MS = 20;
const DRIVER = join(ROOT, 'node_modules/.cache/bench/window-driver.mjs');

/** @returns undefined where it cannot be measured; standard error says why */
export function measureWindow(windows: number, keys: number): Promise<WindowSpeed | undefined> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [DRIVER, String(windows), String(keys)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += String(chunk);
    });
    child.on('error', fail);
    child.on('close', (status) => done(status === 0 ? measuredIn(said) : undefined));
  });
}

/** The last line: making the extension's package says something, too. */
function measuredIn(said: string): WindowSpeed {
  // The driver's own type is lost behind its name.
  return JSON.parse(said.trim().split('\n').at(-1) ?? '') as WindowSpeed;
}

export function windowGoals(speed: WindowSpeed | undefined): Goal[] {
  if (!speed) return [];
  const lens = 'the first lens in a fresh window, from when extensions run';
  return [
    ...atMost(lens, speed.lensOfReady.p50, LENS_MS, milliseconds),
    ...atMost('the activation of the extension', speed.activation.p50, ACTIVATION_MS, milliseconds),
  ];
}

export function windowFigures(speed: WindowSpeed | undefined): string[] {
  if (!speed) return [];
  const {
    lens,
    lensOfReady,
    activation,
    activationSmall,
    keys,
    keysWithout,
    pause,
    pauseWithout,
    pauseSmall,
    pauseSmallWithout,
    followed,
  } = speed;
  return [
    '## In a window',
    '',
    ...table(
      ['a real editor (code-server), ms', 'with memories', 'without'],
      [
        [
          'the first lens of a window that is opened again, p50 / p95, from when extensions run',
          pairOf(lensOfReady),
          '',
        ],
        ['the same, from the text on', pairOf(lens), ''],
        ['activation, as "Show Running Extensions" has it, p50 / p95', pairOf(activation), ''],
        ['the same, of the "Merge Conflict" that comes with the editor', pairOf(activationSmall), ''],
        [`a key in a file of ${LINES_OF_FUNCTION * FUNCTIONS} lines, p50 / p95`, pairOf(keys), pairOf(keysWithout)],
        [
          `checkout of ${FILES} changed files: the longest time without a frame, p50 / p95`,
          pairOf(pause),
          pairOf(pauseWithout),
        ],
        ['the same, with a file of one function open', pairOf(pauseSmall), pairOf(pauseSmallWithout)],
        ['the same: until a lens says what has changed', plain(followed), ''],
      ],
    ),
  ];
}
