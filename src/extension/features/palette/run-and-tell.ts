import * as vscode from 'vscode';
import { type MemoryFolder, memoryFolders } from '../../folders';
import type { Place } from '../../memories';
import { failureOf, type RunProgram, runProgram } from '../../programs';
import { withoutLinks } from '../../stored-text';
import type { Doing } from './command';
import { withProgress } from './progress';

export interface Running extends Pick<RunProgram, 'program' | 'arguments' | 'environment'> {
  /** Beside its progress. */
  readonly title: string;
  /** What it did, from what it wrote to standard output. */
  readonly summary: (output: string) => string;
  /** What can be done next. */
  readonly button?: string;
}

/** As our command lines end when they are interrupted. */
const INTERRUPTED = 130;
/** As much as a message shows; the log has all of it. */
const SHOWN_LENGTH = 400;

/**
 * Runs one of our command lines with progress that can be cancelled, and says how it ended.
 * @returns whether the button of the message was pressed
 */
export async function runAndTell({ editor, place }: Doing, running: Running): Promise<boolean> {
  const { title, summary, button, ...program } = running;
  const { cancelled, ...ended } = await withProgress(title, async (token, onProgress) => ({
    ...(await runProgram(editor, { ...program, folder: memoryFolder(place), token, onProgress })),
    cancelled: token.isCancellationRequested,
  }));
  if (ended.status === INTERRUPTED || cancelled) {
    vscode.window.showInformationMessage(vscode.l10n.t('Cancelled; what was done is kept.'));
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

/** @throws Error when it was closed meanwhile */
export function memoryFolder({ folder }: Place): MemoryFolder {
  const found = memoryFolders().find(({ uri }) => uri.toString() === folder.toString());
  if (!found) throw new Error(vscode.l10n.t('This folder is not open any more.'));
  return found;
}

/** Says so where nothing is remembered yet, which is no mistake of anybody's. */
export function hasStore(place: Place): boolean {
  if (memoryFolder(place).store.exists) return true;
  vscode.window.showInformationMessage(vscode.l10n.t('Nothing has been remembered here yet.'));
  return false;
}
