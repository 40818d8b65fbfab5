/** The state of the clients of a server, kept in the store so that any instance of the server can go on with it. */
import { DAY_MS, timestamp } from '../../base/clock';
import type { Database, Reader } from '../../db/sql';
import type { Scope } from '../memory';

/** How long a client may be silent before it is forgotten. It begins again then, with a new session of the protocol. */
const LEASE_MS = DAY_MS;
/** A lease is written again when this much of it is over. */
const RENEW_AFTER_MS = LEASE_MS / 4;

export interface Connection {
  /** A hash of the session of the protocol, which is a secret of the client. */
  readonly id: string;
  readonly principal: number;
  /** As it calls itself. */
  readonly client: string;
}

export interface KeptConnection extends Connection {
  readonly scope: Scope;
  /** Whether its lease is to be written again. */
  readonly isDue: boolean;
}

/** @returns undefined for one that is not known, or not any more */
export async function findConnection(sql: Reader, id: string, now: number): Promise<KeptConnection | undefined> {
  const row = await sql.get<Connection & { scope: string; lease_until: string }>(
    'SELECT id, principal, client, scope, lease_until FROM mem_connections WHERE id = $id AND lease_until > $now',
    { id, now: timestamp(now) },
  );
  if (!row) return undefined;
  const { principal, client, scope, lease_until } = row;
  const isDue = Date.parse(lease_until) - now < LEASE_MS - RENEW_AFTER_MS;
  return { id, principal, client, scope: JSON.parse(scope) as Scope, isDue };
}

/** Keeps where a connection is, for another day, and forgets those whose time is over. */
export async function keepConnection(
  store: Database,
  { id, principal, client }: Connection,
  scope: Scope,
  now: number,
): Promise<void> {
  await store.transact((sql) =>
    sql.batch([
      {
        sql: `INSERT INTO mem_connections (id, principal, client, scope, lease_until)
              VALUES ($id, $principal, $client, $scope, $until)
              ON CONFLICT (id) DO UPDATE SET scope = excluded.scope, lease_until = excluded.lease_until`,
        parameters: { id, principal, client, scope: JSON.stringify(scope), until: timestamp(now + LEASE_MS) },
      },
      { sql: 'DELETE FROM mem_connections WHERE lease_until <= $now', parameters: { now: timestamp(now) } },
    ]),
  );
}

export async function dropConnection(store: Database, id: string): Promise<void> {
  await store.transact((sql) => sql.run('DELETE FROM mem_connections WHERE id = $id', { id }));
}
