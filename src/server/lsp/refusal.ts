import type { ToolError } from '../../protocol/requests';
import { SvcError } from '../base/errors';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';

/** An error as the window is told of it. Anything but a SvcError is a defect: its own words go to the log. */
export function refusal(error: unknown, log: Log): ToolError {
  if (error instanceof SvcError) return { code: error.code, message: error.message };
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : 'unknown error';
  return { code: 'internal', message: `internal: This is a defect of Agent Memory (${name}). Its log tells more.` };
}
