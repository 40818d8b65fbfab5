import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { acceptShared } from '../../src/server/project/trust-store';
import { type MemoryTest, withMemory } from './memory';

export const FOLDER = '.svc/memories';

export function write({ folder }: MemoryTest, name: string, text: string): void {
  const path = join(folder, FOLDER, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const remove = ({ folder }: MemoryTest, name: string): void => rmSync(join(folder, FOLDER, name));
export const accept = ({ folder }: MemoryTest): void => acceptShared(folder, `${folder}-home`, 'accepted');
export const filesOf = ({ folder }: MemoryTest): string[] => {
  const path = join(folder, FOLDER);
  return existsSync(path) ? readdirSync(path) : [];
};

/** A folder that this machine has accepted, so that nothing of it is a stranger's. */
export function withShared(work: (test: MemoryTest) => Promise<void>, options = {}): Promise<void> {
  return withMemory(async (test) => {
    accept(test);
    await work(test);
  }, options);
}

export interface Stored {
  readonly node_id: string;
}
export interface Shared {
  readonly shared: readonly { readonly node_id: string; readonly path: string }[];
  readonly operation: number;
}

export const note = (id: string, kind: string, text: string, more = ''): string =>
  `---\nkind: ${kind}\ndate: 2026-03-01\nid: ${id}\n${more}---\n\n${text}\n`;
