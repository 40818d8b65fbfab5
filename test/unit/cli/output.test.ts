import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openOutput } from '../../../src/server/cli/output';
import { showProgress } from '../../../src/server/cli/progress';

const ESCAPE = '\u001b[';

function streams(terminal: boolean, noColour = false) {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const written = { out: '', err: '' };
  out.on('data', (chunk) => {
    written.out += chunk;
  });
  err.on('data', (chunk) => {
    written.err += chunk;
  });
  // As much of a terminal's stream as the output looks at.
  const stream = (of: PassThrough) =>
    Object.assign(of, { isTTY: terminal, columns: 100 }) as unknown as NodeJS.WriteStream;
  return { output: openOutput({ out: stream(out), err: stream(err), noColour }), written };
}

test('colours appear on a terminal, and nowhere else', async () => {
  const markdown = '## Heading\n- [d_bakilomu] a decision\n**Rationale:** because';
  for (const [terminal, noColour, coloured] of [
    [true, false, true],
    [true, true, false],
    [false, false, false],
  ] as const) {
    const { output, written } = streams(terminal, noColour);
    await output.text(markdown);
    output.error('not_found', 'There is none.');
    expect([written.out.includes(ESCAPE), written.err.includes(ESCAPE)]).toEqual([coloured, coloured]);
    if (!coloured) expect(written).toEqual({ out: `${markdown}\n`, err: 'not_found: There is none.\n' });
  }
});

test('progress is drawn on one line while somebody watches, and taken away before anything else is written', () => {
  const watched = streams(true, true);
  const progress = showProgress(watched.output, 'Importing');
  progress.step(50, 200);
  watched.output.note('a note');
  progress.end();
  expect(watched.written.err).toBe(`Importing 50 of 200 (25 %)\r${ESCAPE}Ka note\n`);
  const piped = streams(false);
  showProgress(piped.output, 'Importing').step(50, 200);
  expect(piped.written.err).toBe('');
});

test('the width is that of the terminal up to 120 columns, and 80 without one', () => {
  expect(streams(true).output.width).toBe(100);
  expect(streams(false).output.width).toBe(80);
});

test('an error is one sentence on one line, whatever is in it', () => {
  const { output, written } = streams(false);
  output.error('usage', 'two\nlines \u001b[31m and a colour');
  expect(written.err).toBe('usage: two lines  [31m and a colour\n');
});
