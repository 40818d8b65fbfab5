import { describe, expect, it } from 'vitest';
import { conflict, invalidInput, notFound, SvcError, unavailable } from '../../../src/server/base/errors';
import { bareParameter, ofParameter, parameter, parametersOf, phrase, tool } from '../../../src/server/base/phrase';

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

  it('names tools and parameters as agents do, and as a door does that calls them otherwise', () => {
    const error = notFound(
      phrase`There is no "node_id"${ofParameter('node_id')} in ${parameter('entities', '[0]')} of ${3}`,
      phrase`Leave ${bareParameter('line')} out, or ask ${tool('memory_why')}. ${parametersOf('memory_why', 'a, b')}`,
    );
    expect(error.message).toBe(
      'not_found: There is no "node_id" (parameter "node_id") in "entities[0]" of 3. Leave line out, or ask memory_why. The parameters of memory_why are a, b.',
    );
    const said = error.saidIn({
      parameter: ({ parameter, rest }) => `--${parameter}${rest}`,
      inParentheses: () => '',
      tool: (name) => name.toUpperCase(),
      parametersOf: (name, names) => `${name}: ${names}`,
    });
    expect(said).toBe(
      'There is no "node_id" in --entities[0] of 3. Leave --line out, or ask MEMORY_WHY. memory_why: a, b.',
    );
  });

  it('says which parameter is wrong', () => {
    expect(invalidInput(phrase`Give ${tool('x')} a ${parameter('line')}, no ${parameter('file')}`, 'b').parameter).toBe(
      'line',
    );
    expect(invalidInput('"line" is blank', phrase`Leave ${parameter('line')} out`).parameter).toBeUndefined();
  });
});
