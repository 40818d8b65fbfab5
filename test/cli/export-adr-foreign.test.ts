import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withForeignStore } from '../support/foreign-store';

it('records of decisions are not written of a foreign store', () =>
  withForeignStore(async (clone) => {
    const { status, err } = await clone.run(['export', '--to', 'adr', 'docs/adr']);
    expect(status).toBe(1);
    expect(err).toContain('This store is foreign, and records of decisions have no room to say so');
    expect(existsSync(join(clone.folder, 'docs', 'adr'))).toBe(false);
  }));
