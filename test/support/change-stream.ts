import { createParser } from 'eventsource-parser';
import type { TeamServer } from './team-server';

export interface ChangeStream {
  readonly status: number;
  /** The versions that were told. */
  readonly versions: readonly number[];
  /** Once there is nothing more to come: whether the server said so, or the line was cut. */
  readonly ended: Promise<'by the server' | 'cut'>;
  stop(): void;
}

/** Listens to the changes of a project as any client can. */
export async function listenTo(
  { address }: Pick<TeamServer, 'address'>,
  token: string | undefined,
  project = 'shop',
): Promise<ChangeStream> {
  const stop = new AbortController();
  const { status, body } = await fetch(`${address}/${project}/changes`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  const versions: number[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'changed') versions.push((JSON.parse(data) as { version: number }).version);
    },
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) parser.feed(decoder.decode(piece as Uint8Array, { stream: true }));
  };
  return {
    status,
    versions,
    ended: read().then(
      () => 'by the server' as const,
      () => 'cut' as const,
    ),
    stop: () => stop.abort(),
  };
}
