import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readBeginning, readRegularFile } from '../../../src/server/base/regular-file';

// What Windows lacks of the ways to open a file; its links are as here.
vi.mock(import('node:fs'), async (original) => {
  const fs = await original();
  return { ...fs, constants: { ...fs.constants, O_NOFOLLOW: undefined } as unknown as typeof fs.constants };
});

it('refuses a link where the system cannot, and says of a file that is not there that it is missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-windows-'));
  try {
    const at = (name: string): string => join(folder, name);
    const read = (name: string) => readRegularFile(at(name), { max: 100, links: 'refused' });
    writeFileSync(at('file'), 'text');
    symlinkSync('file', at('link'));
    symlinkSync('nowhere', at('broken'));
    expect(read('file').bytes?.toString()).toBe('text');
    expect(['link', 'broken', 'gone'].map((name) => read(name).why)).toEqual(['link', 'link', 'missing']);
    expect(readBeginning(at('link'), 4)).toEqual({ why: 'link' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
