/** Fetches the copy of a team's memory from its server into a file. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unavailable } from '../base/errors';
import { NotGiven } from './not-given';

interface FetchCopy {
  readonly address: string;
  readonly secret: string;
  /** It must not be there yet. */
  readonly file: string;
  /** The tag of the last one. */
  readonly known: string | undefined;
  readonly signal: AbortSignal;
}

/** As large as a store of a stranger may be that is read. */
const MAX_BYTES = 256 * 1024 * 1024;
const PRIVATE_FILE = 0o600;
const UNCHANGED = 304;

/**
 * @returns its tag; the one that was known where nothing has changed, and then no file is made
 * @throws NotGiven, or what `fetch` throws; what was fetched is left in the file
 */
export async function fetchCopy({ address, secret, file, known, signal }: FetchCopy): Promise<string> {
  const response = await fetch(`${address}/snapshot`, {
    headers: { authorization: `Bearer ${secret}`, ...(known === undefined ? {} : { 'if-none-match': `"${known}"` }) },
    // Another server would get the token.
    redirect: 'error',
    signal,
  });
  const { status, headers, body } = response;
  if (status === UNCHANGED && known !== undefined) return known;
  if (status !== 200 || !body) {
    await body?.cancel();
    throw new NotGiven(status, 'copy');
  }
  let size = 0;
  const bounded = new Transform({
    transform(piece: Buffer, _, done) {
      size += piece.length;
      if (size <= MAX_BYTES) done(null, piece);
      else done(unavailable("The copy of the team's memory is too large", `At most ${MAX_BYTES} bytes are kept`));
    },
  });
  const target = createWriteStream(file, { flags: 'wx', mode: PRIVATE_FILE });
  await pipeline(Readable.fromWeb(body as never), bounded, target, { signal });
  return /^"([^"]*)"$/.exec(headers.get('etag') ?? '')?.[1] ?? '';
}
