import { describe, expect, it } from 'vitest';
import { HAS_ENGINE } from '../../scripts/engine-program.mjs';
import { passGate } from '../support/engine-gate';

/** The next write is there by then, whatever was killed. */
const NEXT_WRITE_MS = 6_000;

describe.runIf(HAS_ENGINE)('svc-memory serve on an engine', () => {
  it('loses and doubles nothing of fifty clients, while servers and engine are killed', async () => {
    const passed = await passGate({ clients: 50, killsOfServers: 3, killsOfEngine: 2, stores: 150 });
    expect(passed.acknowledged).toBeGreaterThanOrEqual(150);
    expect(passed).toMatchObject({ lost: [], doubled: [], strange: [], repeated: 0 });
    for (const ms of [...passed.afterServers, ...passed.afterEngine]) expect(ms).toBeLessThan(NEXT_WRITE_MS);
  });
});
