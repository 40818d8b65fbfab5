/*
 * The tests of a suite share an editor, and each begins where the one before it ended. Once one has failed, the others would
 * wait in vain, two minutes at a time, for half an hour in all: they fail at once, and `npm test` runs their file once more.
 */
import { afterEach, beforeEach } from 'vitest';
import { tellWhatIsSeen } from './workbench';

const NOT_TRIED = 'Not tried: it begins where';

beforeEach(({ task }) => {
  const failed = task.suite?.tasks.find((one) => one !== task && one.result?.state === 'fail');
  if (failed) throw new Error(`${NOT_TRIED} "${failed.name}" ended, which failed`);
});

// The suite has not closed its editor yet.
afterEach(async ({ task }) => {
  const [error] = task.result?.errors ?? [];
  if (error && !error.message.startsWith(NOT_TRIED)) await tellWhatIsSeen();
});
