/** Reads JSON with comments, as the hosts of agents write it. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser/lib/esm/main.js';
import { invalidInput, type SvcError } from '../base/errors';
import { shownPath } from '../base/text';

/** @throws SvcError invalid_input when the text is not one object; a blank text is an empty one */
export function readObject(path: string, text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split('\n').length;
    throw malformed(path, `is not valid JSON (${printParseErrorCode(first.error)} in line ${line})`);
  }
  if (!isObject(value)) throw malformed(path, 'is not a JSON object');
  return value;
}

/** @param how what is wrong with the file, as the rest of a sentence */
export function malformed(path: string, how: string): SvcError {
  return invalidInput(`${shownPath(path)} ${how}`, 'It was left untouched. Repair it and try again');
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
