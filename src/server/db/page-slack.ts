/** Tells whether a database file still holds what rows were before they were moved or deleted. */
import { type FileHandle, open } from 'node:fs/promises';

/** Pages of one read, about. */
const READ_BYTES = 1 << 20;
const FILE_HEADER = 100;
/** Above the first byte of a number within a page of 4 KiB, which ours are. */
const FIRST_LETTER = 0x20;

/** The first byte of a page of a B-tree, and how long its header is. Other pages begin with 0: those of a row too long for one page, and free ones. */
const HEADER_BYTES = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);

/** Whether a B-tree page holds anything outside of its cells (https://sqlite.org/fileformat.html#b_tree_pages). */
export async function hasSlack(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(FILE_HEADER);
    await file.read(head, 0, FILE_HEADER, 0);
    const named = head.readUInt16BE(16);
    const pageSize = named === 1 ? 65_536 : named;
    return pageSize > 0 && (await anyPage(file, pageSize));
  } finally {
    await file.close();
  }
}

async function anyPage(file: FileHandle, pageSize: number): Promise<boolean> {
  const buffer = Buffer.alloc(Math.max(pageSize, READ_BYTES));
  for (let at = 0; ; at += buffer.length) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    for (let start = 0; start + pageSize <= bytesRead; start += pageSize) {
      const header = at + start === 0 ? FILE_HEADER : 0;
      if (holdsMore(buffer.subarray(start, start + pageSize), header)) return true;
    }
    if (bytesRead < buffer.length) return false;
  }
}

/** @param at where the page's header begins */
function holdsMore(page: Buffer, at: number): boolean {
  const headerBytes = HEADER_BYTES.get(page[at] ?? 0);
  if (headerBytes === undefined) return false;
  const pointersEnd = at + headerBytes + 2 * page.readUInt16BE(at + 3);
  if (holdsText(page, pointersEnd, page.readUInt16BE(at + 5) || page.length)) return true;
  let free = page.readUInt16BE(at + 1);
  while (free > 0 && free + 4 <= page.length) {
    const end = free + page.readUInt16BE(free + 2);
    if (page.subarray(free + 4, end).some((byte) => byte !== 0)) return true;
    const next = page.readUInt16BE(free);
    // They are in order; a file may say otherwise.
    if (next <= free) return false;
    free = next;
  }
  return false;
}

/**
 * Pointers to cells that are gone, and heads of room that was free, stay there and say nothing of what those held: numbers
 * within the page, of two bytes each. Three letters in a row are none.
 */
function holdsText(page: Buffer, from: number, to: number): boolean {
  let letters = 0;
  for (const byte of page.subarray(from, to)) {
    letters = byte < FIRST_LETTER ? 0 : letters + 1;
    if (letters === 3) return true;
  }
  return false;
}
