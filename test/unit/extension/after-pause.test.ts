import { describe, expect, test } from 'vitest';
import { afterPause } from '../../../src/extension/after-pause';

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

describe('a refresh after a pause', () => {
  test('happens once for a burst, and once more for what came while it ran', async () => {
    let runs = 0;
    let together = 0;
    let most = 0;
    const refresh = afterPause(async () => {
      runs += 1;
      together += 1;
      most = Math.max(most, together);
      await pause(40);
      together -= 1;
    }, 10);
    for (let i = 0; i < 5; i++) refresh();
    await pause(25);
    expect(runs).toBe(1);
    refresh();
    refresh();
    await pause(150);
    expect({ runs, most }).toEqual({ runs: 2, most: 1 });
    refresh.dispose();
  });

  test('does not happen after the end', async () => {
    let runs = 0;
    const refresh = afterPause(async () => {
      runs += 1;
    }, 5);
    refresh();
    refresh.dispose();
    refresh();
    await pause(30);
    expect(runs).toBe(0);
  });
});
