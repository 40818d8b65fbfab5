/** The closed set of error codes a caller of any door can meet: docs/behaviour.md, "Errors". */
export type ErrorCode = 'invalid_input' | 'not_found' | 'conflict' | 'unavailable' | 'internal';

/**
 * An error that is meant for the caller. Its message reads `<code>: <what is wrong>. <what to do>`; where there is
 * something to type, these are lines of their own, and that is the third.
 * Anything thrown that is not a SvcError is a bug and is reported as `internal` without its own words.
 */
export class SvcError extends Error {
  /** The message without its code, for people. */
  readonly said: string;

  /** @param problem and @param remedy sentences; a full stop at their end may be left out */
  constructor(
    readonly code: ErrorCode,
    readonly problem: string,
    readonly remedy: string,
    readonly toType?: string,
  ) {
    const said =
      toType === undefined
        ? `${endSentence(problem)} ${endSentence(remedy)}`
        : `${endSentence(problem)}\n${remedy}\n${toType}`;
    super(`${code}: ${said}`);
    this.name = 'SvcError';
    this.said = said;
  }
}

export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export const invalidInput = (problem: string, remedy: string): SvcError =>
  new SvcError('invalid_input', problem, remedy);
export const notFound = (problem: string, remedy: string): SvcError => new SvcError('not_found', problem, remedy);
export const conflict = (problem: string, remedy: string): SvcError => new SvcError('conflict', problem, remedy);
export const unavailable = (problem: string, remedy: string): SvcError => new SvcError('unavailable', problem, remedy);
