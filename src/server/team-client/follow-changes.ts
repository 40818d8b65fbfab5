/** Listens to the changes of a team's memory at its server. */
import { createParser } from 'eventsource-parser';
import { unavailable } from '../base/errors';
import { NotGiven } from './not-given';

interface FollowChanges {
  readonly address: string;
  readonly secret: string;
  /** With the number of the last change: at the start, and after each one. */
  readonly heard: (version: number) => void;
  readonly signal: AbortSignal;
}

/** The server says something every 15 seconds: a line that is silent for so long is dead. */
const SILENCE_MS = 45_000;
/** Of what comes without an end. */
const MAX_EVENT = 10_000;

/**
 * Resolves when the server, or something between, ends it.
 * @throws NotGiven, or what `fetch` throws where nobody answers or the line is cut
 */
export async function followChanges({ address, secret, heard, signal }: FollowChanges): Promise<void> {
  const silence = new AbortController();
  let limit: NodeJS.Timeout | undefined;
  const wait = (): void => {
    clearTimeout(limit);
    limit = setTimeout(() => silence.abort(), SILENCE_MS).unref();
  };
  wait();
  try {
    const { status, headers, body } = await fetch(`${address}/changes`, {
      headers: { authorization: `Bearer ${secret}`, accept: 'text/event-stream' },
      // Another server would get the token.
      redirect: 'error',
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (status !== 200 || !body || !headers.get('content-type')?.startsWith('text/event-stream')) {
      await body?.cancel();
      throw new NotGiven(status, 'changes');
    }
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const version = event === 'changed' ? versionIn(data) : undefined;
        if (version !== undefined) heard(version);
      },
      onError: (error) => {
        if (error.type !== 'max-buffer-size-exceeded') return;
        throw unavailable("The team's server sends what is no event", 'Look at its version');
      },
      maxBufferSize: MAX_EVENT,
    });
    const decoder = new TextDecoder();
    for await (const piece of body) {
      wait();
      parser.feed(decoder.decode(piece as Uint8Array, { stream: true }));
    }
  } finally {
    clearTimeout(limit);
  }
}

/** A stranger's, until it is a number. */
function versionIn(data: string): number | undefined {
  try {
    const { version } = JSON.parse(data) as { readonly version?: unknown };
    return Number.isSafeInteger(version) ? (version as number) : undefined;
  } catch {
    return undefined;
  }
}
