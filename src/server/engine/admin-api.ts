/** Makes and removes databases of an engine, over its address for administrators. */
import { conflict, type SvcError, unavailable } from '../base/errors';

export interface EngineAdmin {
  /** `http://127.0.0.1:8081` */
  readonly address: string;
  /** What it asks for, where it asks: a secret. */
  readonly key: string | undefined;
}

/**
 * Of each database: a transaction may take so long, because an import is one. A process that hangs in the middle of one keeps
 * the others out for so long, too.
 */
const SETTINGS = { txn_timeout_s: 30 };
const PATIENCE_MS = 60_000;

/** @throws SvcError conflict for one that is there, unavailable where the engine does not answer */
export async function createDatabase(admin: EngineAdmin, name: string): Promise<void> {
  const { status, text } = await ask(admin, 'POST', `${name}/create`, SETTINGS);
  if (status === 400 && text.includes('already exists')) {
    throw conflict(`The engine has a database ${name} already`, 'Give the project another name');
  }
  if (status !== 200) throw refused(status);
}

/** Lets everybody read, and nobody write. */
export async function blockWrites(admin: EngineAdmin, name: string, block: boolean): Promise<void> {
  const settings = { ...SETTINGS, block_reads: false, block_writes: block, allow_attach: false };
  const { status } = await ask(admin, 'POST', `${name}/config`, settings);
  if (status !== 200) throw refused(status);
}

/** Another database with all that is in this one, at this moment. */
export async function forkDatabase(admin: EngineAdmin, name: string, to: string): Promise<void> {
  const { status } = await ask(admin, 'POST', `${name}/fork/${to}`, {});
  if (status !== 200) throw refused(status);
}

/** With its files, its log and its snapshots; those who follow the engine delete theirs. */
export async function deleteDatabase(admin: EngineAdmin, name: string): Promise<void> {
  const { status } = await ask(admin, 'DELETE', name);
  if (status !== 200) throw refused(status);
}

async function ask({ address, key }: EngineAdmin, method: string, path: string, body?: object) {
  const response = await fetch(new URL(`/v1/namespaces/${path}`, address), {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `basic ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => {
    throw unavailable(
      'The engine does not answer at SVC_MEMORY_DB_ADMIN',
      'Set it to what --admin-listen-addr of the engine says, such as http://127.0.0.1:8081',
    );
  });
  return { status: response.status, text: await response.text() };
}

function refused(status: number): SvcError {
  return unavailable(
    `The engine refused what was asked for at SVC_MEMORY_DB_ADMIN (${status})`,
    'Check SVC_MEMORY_DB_ADMIN_KEY, and that the engine was started with --enable-namespaces',
  );
}
