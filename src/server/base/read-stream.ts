/** All that a stream brings. @returns undefined when that is more than `max` bytes: the rest of it is not read */
export async function readStream(stream: AsyncIterable<Buffer>, max: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > max) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
