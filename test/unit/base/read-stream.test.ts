import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { readStream } from '../../../src/server/base/read-stream';

it('reads a stream to its end, and stops at once when there is more than wanted', async () => {
  const pieces = () => Readable.from([Buffer.from('one '), Buffer.from('two')]);
  expect((await readStream(pieces(), 7))?.toString()).toBe('one two');
  expect(await readStream(pieces(), 6)).toBeUndefined();
});

it.runIf(process.platform !== 'win32')('comes to an end with a file that has none', async () => {
  const endless = createReadStream('/dev/zero');
  expect(await readStream(endless, 1_000_000)).toBeUndefined();
  expect(endless.destroyed).toBe(true);
});
