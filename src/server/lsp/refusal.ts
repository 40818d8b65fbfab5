/** Makes errors that the window can show. */
import * as l10n from '@vscode/l10n';
import type { ToolError } from '../../protocol/requests';
import { SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { cut, oneLine } from '../base/text';

/** An error as the window gets it. Anything but a SvcError is a defect: its own words go to the log. */
export function refusal(error: unknown, log: Log): ToolError {
  if (error instanceof SvcError) return { code: error.code, message: error.said };
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  const name = error instanceof Error ? cut(oneLine(error.name), 40) : l10n.t('unknown error');
  const message = l10n.t('Internal error in Agent Memory ({0}). See the log for details.', name);
  return { code: 'internal', message };
}

/** Nothing of a workspace is written before it is trusted. */
export function untrusted(): SvcError {
  return notBeforeTrust(l10n.t('This workspace is not trusted, so nothing is written in it'));
}

/** Nor is Git started in it: its settings name programs, and new versions of Git may know new ones. */
export function untrustedForGit(): SvcError {
  return notBeforeTrust(l10n.t('This workspace is not trusted, so Git is not run in it'));
}

function notBeforeTrust(problem: string): SvcError {
  return unavailable(problem, l10n.t('Trust it ("Workspaces: Manage Workspace Trust") and try again'));
}
