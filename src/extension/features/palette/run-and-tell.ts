import * as vscode from 'vscode';
import { failureOf, type RunProgram, runProgram } from '../../programs';
import { withoutLinks } from '../../stored-text';
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
  /** Said where cancelling leaves nothing of it behind. */
  readonly cancelled?: string;
}

/** As our command lines end when they are interrupted. */
const INTERRUPTED = 130;
/** As much as a message shows; the log has all of it. */
const SHOWN_LENGTH = 400;
/** Of single failures, so many are told in the log. */
export const MOST_LOGGED = 100;

/**
 * Runs one of our command lines with progress that can be cancelled, and says how it ended.
 * @returns whether the button of the message was pressed
 */
export async function runAndTell({ editor, place }: Doing, running: Running): Promise<boolean> {
  const { title, summary, button, cancelled, ...program } = running;
  const { wasCancelled, ...ended } = await withProgress(title, async (token, onProgress) => ({
    ...(await runProgram(editor, { ...program, folder: memoryFolder(place), token, onProgress })),
    wasCancelled: token.isCancellationRequested,
  }));
  // It may have come to its end before it was told to stop.
  if (ended.status === INTERRUPTED || (wasCancelled && ended.status !== 0)) {
    vscode.window.showInformationMessage(cancelled ?? vscode.l10n.t('Cancelled; what was done is kept.'));
    return false;
  }
  const said = ended.output.trim() === '' ? '' : summary(ended.output);
  if (ended.status === 0) {
    const shown = withoutLinks(said, SHOWN_LENGTH);
    const chosen = await vscode.window.showInformationMessage(shown, ...(button === undefined ? [] : [button]));
    return chosen !== undefined;
  }
  const log = vscode.l10n.t('Show Log');
  const failure = said !== '' && ended.lines.length === 0 ? '' : failureOf(ended);
  const why = withoutLinks(`${said} ${failure}`, SHOWN_LENGTH);
  if ((await vscode.window.showWarningMessage(why, log)) === log) {
    await vscode.commands.executeCommand('agentMemory.showLog');
  }
  return false;
}

/** Reads what a command line answers with `--json`. `Report` states what that is; it is not checked. */
export function fromJson<Report>(summary: (report: Report) => string): (output: string) => string {
  return (output) => summary(JSON.parse(output) as Report);
}
