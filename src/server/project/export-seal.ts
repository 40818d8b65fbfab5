/** Tells the exports that this machine wrote from others. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { makeFolders } from '../base/make-folders';
import type { Seal } from '../memory/transfer/export';

/**
 * An export says of each memory where it comes from and who has looked at it, and so may a file that somebody else made up. So
 * its nodes are sealed with a key that this user's home directory keeps.
 */
const KEY_FILE = 'export-key';
const KEY_BYTES = 32;

/** @returns undefined where no key can be kept: such an export counts as somebody else's */
export function openSeal(home: string): Seal | undefined {
  const key = readKey(home) ?? makeKey(home);
  return key && sealWith(key);
}

/** Whether this machine wrote these nodes, in this order. Spaces and line breaks between them do not count. */
export function isSealed(home: string, nodes: readonly unknown[], seal: unknown): boolean {
  const key = readKey(home);
  if (!key || typeof seal !== 'string') return false;
  const expected = sealWith(key);
  for (const node of nodes) expected.add(node);
  const [one, other] = [Buffer.from(expected.end()), Buffer.from(seal)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function sealWith(key: Buffer): Seal {
  const hash = createHmac('sha256', key);
  return {
    // No JSON text holds a line break.
    add: (node) => void hash.update(`${JSON.stringify(node)}\n`),
    end: () => hash.digest('base64url'),
  };
}

function readKey(home: string): Buffer | undefined {
  try {
    const key = Buffer.from(readFileSync(fileIn(home), 'utf8').trim(), 'base64url');
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined; // nobody made one yet
  }
}

/** Of two processes that make one at once, the first one's counts. */
function makeKey(home: string): Buffer | undefined {
  try {
    makeFolders(join(home, STORE_FOLDER), 0o700);
    writeFileSync(fileIn(home), `${randomBytes(KEY_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  } catch {
    // Another process has made one, or the home directory cannot be written.
  }
  return readKey(home);
}

function fileIn(home: string): string {
  return join(home, STORE_FOLDER, KEY_FILE);
}
