/** Errors that are meant for callers. */
import { Phrase, type Speech, TO_AGENTS } from './phrase';

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
  /** What is wrong, and what to do, as agents read it. */
  readonly problem: string;
  readonly remedy: string;
  /** The parameter of the tool that is wrong; undefined where it is none. */
  readonly parameter: string | undefined;

  /** @param whatIsWrong and @param whatToDo sentences; a full stop at their end may be left out */
  constructor(
    readonly code: ErrorCode,
    private readonly whatIsWrong: Sentence,
    private readonly whatToDo: Sentence,
    readonly toType?: string,
    /** What was typed is wrong, not what lies there. */
    readonly isUsage = false,
  ) {
    const said = saidIn(TO_AGENTS, whatIsWrong, whatToDo, toType);
    super(`${code}: ${said}`);
    this.name = 'SvcError';
    this.said = said;
    this.problem = inWords(whatIsWrong, TO_AGENTS);
    this.remedy = inWords(whatToDo, TO_AGENTS);
    this.parameter = whatIsWrong instanceof Phrase ? whatIsWrong.parameter : undefined;
  }

  /** The message without its code, in the words of a door. */
  saidIn(speech: Speech): string {
    return saidIn(speech, this.whatIsWrong, this.whatToDo, this.toType);
  }
}

/** Text that is the same at every door, or a sentence with names in it. */
export type Sentence = string | Phrase;

function inWords(sentence: Sentence, speech: Speech): string {
  return sentence instanceof Phrase ? sentence.saidIn(speech) : sentence;
}

function saidIn(speech: Speech, problem: Sentence, remedy: Sentence, toType: string | undefined): string {
  const [what, advice] = [endSentence(inWords(problem, speech)), inWords(remedy, speech)];
  return toType === undefined ? `${what} ${endSentence(advice)}` : `${what}\n${advice}\n${toType}`;
}

export function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

export const invalidInput = (problem: Sentence, remedy: Sentence): SvcError =>
  new SvcError('invalid_input', problem, remedy);
/** Of an argument of a command. */
export const wrongUsage = (problem: Sentence, remedy: Sentence): SvcError =>
  new SvcError('invalid_input', problem, remedy, undefined, true);
export const notFound = (problem: Sentence, remedy: Sentence): SvcError => new SvcError('not_found', problem, remedy);
export const conflict = (problem: Sentence, remedy: Sentence): SvcError => new SvcError('conflict', problem, remedy);
export const unavailable = (problem: Sentence, remedy: Sentence): SvcError =>
  new SvcError('unavailable', problem, remedy);
