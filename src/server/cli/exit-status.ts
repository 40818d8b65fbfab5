/** How a refused command ends: docs/behaviour.md, "Exit statuses". */
import type { SvcError } from '../base/errors';
import type { ExitStatus } from './cli';

/** What was given is wrong, whoever notices it; or it was refused, or failed. */
export function statusOf(code: SvcError['code']): ExitStatus {
  return code === 'invalid_input' ? 2 : 1;
}
