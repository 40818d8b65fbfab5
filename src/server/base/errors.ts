/** The closed set of error codes a caller of any door can meet (decisions.md, "error format"). */
export type ErrorCode = 'invalid_input' | 'not_found' | 'conflict' | 'unavailable' | 'internal';

/**
 * An error that is meant for the caller. Its message reads `<code>: <what is wrong>. <what to do>`.
 * Anything thrown that is not a SvcError is a bug and is reported as `internal` without its own words.
 */
export class SvcError extends Error {
  constructor(
    readonly code: ErrorCode,
    problem: string,
    remedy: string,
  ) {
    super(`${code}: ${endSentence(problem)} ${endSentence(remedy)}`);
    this.name = 'SvcError';
  }
}

function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export const invalidInput = (problem: string, remedy: string): SvcError =>
  new SvcError('invalid_input', problem, remedy);
export const notFound = (problem: string, remedy: string): SvcError => new SvcError('not_found', problem, remedy);
export const conflict = (problem: string, remedy: string): SvcError => new SvcError('conflict', problem, remedy);
export const unavailable = (problem: string, remedy: string): SvcError => new SvcError('unavailable', problem, remedy);
