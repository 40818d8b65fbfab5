// Vitest's global set-up of the tests on an engine: one for all of them, which ends with them.
import type { TestProject } from 'vitest/node';
import { withEngine } from './engine';
import type {} from './memory';

export default function setUp(project: TestProject): Promise<() => Promise<void>> {
  return new Promise((ready, fail) => {
    const ended = withEngine(
      ({ address, admin }) =>
        new Promise<void>((end) => {
          project.provide('engine', { address, admin });
          ready(async () => {
            end();
            await ended;
          });
        }),
    );
    ended.catch(fail);
  });
}
