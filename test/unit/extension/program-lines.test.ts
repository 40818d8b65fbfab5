import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readProgramLine } from '../../../src/extension/program-lines';
import { openOutput } from '../../../src/server/cli/output';
import { showProgress } from '../../../src/server/cli/progress';

test('what a command line writes for the extension is read as it was meant', () => {
  const err = new PassThrough();
  let written = '';
  err.on('data', (chunk) => {
    written += chunk;
  });
  const stream = (of: PassThrough) => Object.assign(of, { isTTY: false }) as unknown as NodeJS.WriteStream;
  const output = openOutput({
    ...{ out: stream(new PassThrough()), err: stream(err) },
    ...{ noColour: true, progressLines: true },
  });
  const progress = showProgress(output, 'Importing');
  progress.step(50, 200);
  progress.end();
  showProgress(output, 'Reading').step(3);
  output.note('two\nlines "and more"');
  output.error('not_found', 'There is none. invalid_input: is another.');
  expect(written.trimEnd().split('\n').map(readProgramLine)).toEqual([
    { type: 'progress', text: 'Importing 50 of 200 (25 %)', percent: 25 },
    { type: 'progress', text: 'Reading 3' },
    { type: 'note', text: 'two lines "and more"' },
    { type: 'error', code: 'not_found', message: 'There is none. invalid_input: is another.' },
  ]);
});

test.each(['', 'conflict: no line of ours', '{', '{}', '{"type":"error","code":1}', '{"type":"warning","text":"x"}'])(
  '%j is no line of ours',
  (line) => expect(readProgramLine(line)).toBeUndefined(),
);
