/*
 * The tests of a suite share an editor, and each begins where the one before it ended. Once one has failed, the others would
 * wait in vain, two minutes at a time, for half an hour in all: they fail at once, and `npm test` runs their file once more.
 */
import { beforeEach } from 'vitest';

beforeEach(({ task }) => {
  const failed = task.suite?.tasks.find((one) => one !== task && one.result?.state === 'fail');
  if (failed) throw new Error(`Not tried: it begins where "${failed.name}" ended, which failed`);
});
