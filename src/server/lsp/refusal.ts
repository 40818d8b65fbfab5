import * as l10n from '@vscode/l10n';
import type { ToolError } from '../../protocol/requests';
import { SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';

/** An error as the window is told of it. Anything but a SvcError is a defect: its own words go to the log. */
export function refusal(error: unknown, log: Log): ToolError {
  if (error instanceof SvcError) return { code: error.code, message: error.message };
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : l10n.t('unknown error');
  const message = l10n.t('This is a defect of Agent Memory ({0}). Its log tells more.', name);
  return { code: 'internal', message: `internal: ${message}` };
}

/** Nothing of a workspace is written before it is trusted. */
export function untrusted(): SvcError {
  return unavailable(
    l10n.t('This workspace is not trusted, so nothing in it is written'),
    l10n.t('Trust it ("Workspaces: Manage Workspace Trust") and try again'),
  );
}
