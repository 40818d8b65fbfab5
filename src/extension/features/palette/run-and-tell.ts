/** Runs one of our programs and shows its result. */
import * as vscode from 'vscode';
import { failureOf, type RunProgram, runProgram } from '../../programs';
import { withoutLinks } from '../../stored-text';
import { takeBack } from '../tell-done';
import type { Doing } from './command';
import { memoryFolder } from './memory-folder';
import { withProgress } from './progress';

export interface Running extends Pick<RunProgram, 'program' | 'arguments' | 'environment'> {
  /** Beside its progress. */
  readonly title: string;
  /** What it did, from what it wrote to standard output. */
  readonly summary: (output: string) => string;
  /** What can be done next. */
  readonly button?: string;
  /** It changes memories: what it did is undone like anything else, whatever came of the rest. */
  readonly changes?: true;
  /** Said where cancelling leaves nothing of it behind. */
  readonly cancelled?: string;
  /** What can be done where it failed. */
  readonly instead?: { readonly button: string; readonly run: () => Promise<void> };
  /** Asks what the program could not, having no terminal, when it failed for that. */
  readonly consent?: (output: string) => Promise<Consent>;
}

/** How it is run again; `not needed`: it failed for something else. */
export type Consent = Pick<Running, 'arguments' | 'environment'> | 'no' | 'not needed';

/** As our command lines end when they are interrupted. */
const INTERRUPTED = 130;
/** As much as a message shows; the log has all of it. */
const SHOWN_LENGTH = 400;
/** At most this many single failures are logged. */
export const MOST_LOGGED = 100;

/**
 * Runs one of our command lines with progress that can be cancelled, and says how it ended.
 * @returns whether the button of the message was pressed
 */
export async function runAndTell(doing: Doing, running: Running): Promise<boolean> {
  const { editor, place } = doing;
  const { title, summary, button, changes, cancelled, instead, consent, ...program } = running;
  const { wasCancelled, ...ended } = await withProgress(title, async (token, onProgress) => ({
    ...(await runProgram(editor, { ...program, folder: memoryFolder(place), token, onProgress })),
    wasCancelled: token.isCancellationRequested,
  }));
  if (consent && ended.status === 1) {
    const { consent: _, ...again } = running;
    const given = await consent(ended.output);
    if (given === 'no') return false;
    if (given !== 'not needed') return runAndTell(doing, { ...again, ...given });
  }
  const done = changes ? await doing.memories.doneBy(place, ended.process).catch(() => []) : [];
  const undo = vscode.l10n.t('Undo');
  const undoing = done.length === 0 ? [] : [undo];
  // The program may have ended before it was asked to stop.
  if (ended.status === INTERRUPTED || (wasCancelled && ended.status !== 0)) {
    vscode.window.showInformationMessage(cancelled ?? vscode.l10n.t('Cancelled. The work that was finished is kept.'));
    return false;
  }
  const said = ended.output.trim() === '' ? '' : summary(ended.output);
  if (ended.status === 0) {
    const shown = withoutLinks(said, SHOWN_LENGTH);
    const chosen = await vscode.window.showInformationMessage(shown, ...(button ? [button] : []), ...undoing);
    if (chosen === undo) await takeBack(doing.memories, done);
    return chosen !== undefined && chosen === button;
  }
  const log = vscode.l10n.t('Show Log');
  const failure = said !== '' && ended.lines.length === 0 ? '' : failureOf(ended);
  const why = withoutLinks(`${said} ${failure}`, SHOWN_LENGTH);
  const chosen = await vscode.window.showWarningMessage(why, ...(instead ? [instead.button] : []), log, ...undoing);
  if (chosen === log) await vscode.commands.executeCommand('agentMemory.showLog');
  if (chosen === undo) await takeBack(doing.memories, done);
  if (instead && chosen === instead.button) await instead.run();
  return false;
}

/** Reads what a command line answers with `--json`. `Report` states what that is; it is not checked. */
export function fromJson<Report>(summary: (report: Report) => string): (output: string) => string {
  return (output) => summary(JSON.parse(output) as Report);
}
