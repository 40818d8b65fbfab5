/** Reports what made a command fail. */
import { endSentence, SvcError } from '../base/errors';
import { cut, oneLine } from '../base/text';
import type { Cli } from './cli';
import { defectSentence } from './defect';
import { ReaderGone } from './output';

export const WRONG_USAGE = 2;
/** 128 + SIGINT */
export const INTERRUPTED = 130;

/** @returns the exit status */
export function tellError(cli: Cli, error: unknown): number {
  if (error instanceof ReaderGone) return 0;
  // The person who pressed Ctrl-C knows.
  if (cli.signal.aborted) return INTERRUPTED;
  if (error instanceof SvcError) {
    cli.output.error(error.code, error.toType === undefined ? error.said : endSentence(error.problem));
    if (error.toType !== undefined) for (const line of [error.remedy, error.toType]) cli.output.note(line);
    return error.isUsage ? WRONG_USAGE : 1;
  }
  cli.log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  cli.output.error('internal', defectSentence(name));
  return 1;
}
