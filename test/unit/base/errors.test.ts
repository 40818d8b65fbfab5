import { describe, expect, it } from 'vitest';
import { conflict, invalidInput, notFound, SvcError, unavailable } from '../../../src/server/base/errors';

describe('an error for the caller', () => {
  it('reads: code, what is wrong, what to do', () => {
    expect(invalidInput('The name is blank', 'Give a name').message).toBe(
      'invalid_input: The name is blank. Give a name.',
    );
  });

  it.each(['Really?', 'Stop!', 'Wait…', 'Done.'])('gets no second mark after %j', (sentence) => {
    expect(notFound(sentence, sentence).message).toBe(`not_found: ${sentence} ${sentence}`);
  });

  it('carries its code', () => {
    const errors = [invalidInput('a', 'b'), notFound('a', 'b'), conflict('a', 'b'), unavailable('a', 'b')];
    expect(errors.map((error) => error.code)).toEqual(['invalid_input', 'not_found', 'conflict', 'unavailable']);
    for (const error of errors) expect(error).toBeInstanceOf(SvcError);
  });
});
