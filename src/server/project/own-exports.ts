/** Tells the exports that this user wrote from others. */
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STORE_FOLDER } from '../../store-place/locate';
import { makeFolders } from '../base/make-folders';
import type { NodeHash } from '../memory/transfer/export';

/**
 * An export says of each memory where it comes from and who has looked at it, and so may a file that somebody else made up. So
 * the home directory keeps a file without content for each export that was written, named by the hash of its nodes.
 */
const FOLDER = 'exports';

/** Notes an export whose nodes are given one by one. Where that is not possible the export counts as somebody else's. */
export function noteExport(home: string): NodeHash {
  const { add, digest } = hashOfNodes();
  return {
    add,
    end: () => {
      try {
        makeFolders(join(home, STORE_FOLDER, FOLDER), 0o700);
        writeFileSync(fileFor(home, digest()), '', { mode: 0o600 });
      } catch {
        // The home directory cannot be written.
      }
    },
  };
}

/** Whether this user's exports had these nodes, in this order. Spaces and line breaks between them do not count. */
export function isOwnExport(home: string, nodes: readonly unknown[]): boolean {
  const { add, digest } = hashOfNodes();
  for (const node of nodes) add(node);
  return existsSync(fileFor(home, digest()));
}

function hashOfNodes(): Pick<NodeHash, 'add'> & { readonly digest: () => string } {
  const hash = createHash('sha256');
  return {
    // No JSON text holds a line break.
    add: (node) => void hash.update(`${JSON.stringify(node)}\n`),
    digest: () => hash.digest('hex'),
  };
}

function fileFor(home: string, hash: string): string {
  return join(home, STORE_FOLDER, FOLDER, hash);
}
