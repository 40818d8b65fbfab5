/** Copies of files that others may be writing. */

import { chmod, constants, copyFile, type FileHandle, open } from 'node:fs/promises';

/** Only this user reads a copy, whatever the rights of the original. */
const PRIVATE = 0o600;
const PIECE_BYTES = 1_048_576;

/**
 * Copies a file that others may be writing, to its end as it is then. `fs.copyFile` never comes to an end where the file
 * gets shorter meanwhile, and keeps a core busy for ever (libuv waits for as many bytes as there were at first).
 * @param replace what lies there already may be written over; else it is an error
 * @param signal ends it between two pieces, with an error
 */
export async function copyLiveFile(from: string, to: string, replace: boolean, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const mode = constants.COPYFILE_FICLONE_FORCE | (replace ? 0 : constants.COPYFILE_EXCL);
  try {
    // Some disks copy at once.
    await copyFile(from, to, mode);
  } catch {
    await copyPieces(from, to, replace ? 'w' : 'wx', signal);
  }
  await chmod(to, PRIVATE);
}

async function copyPieces(from: string, to: string, flags: string, signal?: AbortSignal): Promise<void> {
  const source = await open(from, 'r');
  let target: FileHandle | undefined;
  try {
    target = await open(to, flags, PRIVATE);
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await source.read(piece, 0, piece.length, null);
      if (bytesRead === 0) return;
      await target.writeFile(piece.subarray(0, bytesRead));
    }
  } finally {
    await target?.close();
    await source.close();
  }
}
