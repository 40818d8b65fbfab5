/** What comes of a call to the server of a team that was not answered. */
import { type ErrorCode, SvcError } from './errors';

/**
 * `silent`: it does not answer, and may answer later. `shut`: it lets this person not in. `refused`: it has looked at the
 * call, and says no.
 */
export type TeamFailure = 'silent' | 'shut' | 'refused';

export class TeamError extends SvcError {
  constructor(
    readonly failure: TeamFailure,
    code: ErrorCode,
    problem: string,
    remedy: string,
    /** Nobody was asked: there is no token to ask with. */
    readonly isUnasked = false,
  ) {
    super(code, problem, remedy);
  }
}

/** Of an error that may be of another bundle, which has classes of its own. */
export function failureOf(error: unknown): TeamFailure | undefined {
  const failure = error instanceof Error && 'failure' in error ? error.failure : undefined;
  return failure === 'silent' || failure === 'shut' || failure === 'refused' ? failure : undefined;
}

/** As `failureOf`. */
export function isUnasked(error: unknown): boolean {
  return error instanceof Error && 'isUnasked' in error && error.isUnasked === true;
}
