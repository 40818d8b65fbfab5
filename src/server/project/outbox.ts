/** What waits to be sent to a team's memory, and what was refused meanwhile. */
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, DAY_MS, MINUTE_MS, timestamp } from '../base/clock';
import { conflict, SvcError, unavailable } from '../base/errors';
import type { Log } from '../base/log';
import { makeFolders } from '../base/make-folders';
import { shownSecond } from '../base/shown';
import { failureOf } from '../base/team-error';
import { oneLine, shownPath } from '../base/text';
import { openFile } from '../db/open-file';
import type { Store } from '../db/store';
import { OUTBOX_MIGRATIONS } from './outbox-schema';
import { hashOf, teamFolder } from './team-copy';
import type { TeamCall, TeamMemory } from './team-memory';

/** What is to be sent: what `memory_store` of the server takes. */
export type ToStore = Readonly<Record<string, unknown>>;

export interface Waiting {
  /** By which a person drops it. */
  readonly n: number;
  readonly node_id: string;
  readonly input: ToStore;
  readonly queued_at: string;
  /** Why the server does not take it; null while it waits. */
  readonly refused: string | null;
}

export interface Queued {
  readonly n: number;
  readonly node_id: string;
  /** False for one that waited before. */
  readonly isNew: boolean;
}

export interface SentEntry {
  readonly n: number;
  readonly node_id: string;
  readonly team_id: string;
}

/** What became of those that waited. */
export interface SendingRun {
  readonly sent: readonly SentEntry[];
  /** Why it ended before all were sent. */
  readonly stopped: SvcError | undefined;
}

interface Row extends Omit<Waiting, 'input'> {
  readonly call_key: string;
  readonly input: string;
  readonly sent_at: string | null;
}

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const MOST = 1_000;
const SEND_EVERY_MS = MINUTE_MS;
/** The server keeps its answers for seven days: after that, what was sent once would be stored twice. */
const MAY_BE_REPEATED_MS = 6 * DAY_MS;

export class Outbox {
  private constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  /** Several processes may have it open. @throws SvcError unavailable where it cannot be written */
  static async open(home: string, address: string, clock: Clock = Date.now): Promise<Outbox> {
    const path = outboxFile(home, address);
    try {
      makeFolders(teamFolder(home), PRIVATE_FOLDER);
      // SQLite would make it for others to read; its log gets the rights of the file.
      closeSync(openSync(path, 'a', PRIVATE_FILE));
    } catch {
      throw unavailable(
        `What is to be sent cannot be kept in ${shownPath(teamFolder(home))}, so nothing was sent`,
        'Give this user the right to write there',
      );
    }
    return new Outbox(await openFile({ path, migrations: OUTBOX_MIGRATIONS, create: true }), clock);
  }

  /** In the order in which they are sent. */
  async list(): Promise<Waiting[]> {
    const rows = await this.store.all<Row>(`SELECT ${COLUMNS} FROM outbox_entries ORDER BY n`);
    return rows.map(({ n, node_id, input, queued_at, refused }) => {
      return { n, node_id, input: JSON.parse(input) as ToStore, queued_at, refused };
    });
  }

  /**
   * Puts them behind the others, each with a key of its own. What waits already stays where it is, and what was refused
   * begins once more.
   * @throws SvcError conflict where there are too many
   */
  queue(all: readonly { readonly node_id: string; readonly input: ToStore }[]): Promise<Queued[]> {
    return this.store.transact(async (sql) => {
      const queued: Queued[] = [];
      for (const { node_id, input } of all) {
        const entry = { node_id, input: JSON.stringify(input) };
        const same = 'node_id = $node_id AND input = $input';
        await sql.run(`DELETE FROM outbox_entries WHERE ${same} AND refused IS NOT NULL`, entry);
        const isNew = await sql.run(
          `INSERT INTO outbox_entries (call_key, node_id, input, queued_at) SELECT $call_key, $node_id, $input, $at
           WHERE NOT EXISTS (SELECT 1 FROM outbox_entries WHERE ${same})`,
          { ...entry, call_key: randomUUID(), at: timestamp(this.clock()) },
        );
        const row = await sql.get<{ n: number }>(`SELECT n FROM outbox_entries WHERE ${same}`, entry);
        if (row) queued.push({ n: row.n, node_id, isNew: isNew > 0 });
      }
      const row = await sql.get<{ count: number }>('SELECT count(*) AS count FROM outbox_entries');
      if ((row?.count ?? 0) <= MOST) return queued;
      throw conflict(`More than ${MOST} memories would wait`, 'Nothing was kept. Send or drop those that wait');
    });
  }

  /** @returns whether it was there */
  async drop(n: number): Promise<boolean> {
    const dropped = await this.store.transact((sql) => sql.run('DELETE FROM outbox_entries WHERE n = $n', { n }));
    return dropped > 0;
  }

  /**
   * Sends what waits, in order, until the server is silent or lets nobody in. Others may be sending, too: the key of a
   * call sees to it that each is stored once. It does not throw for anything that the server says.
   */
  async send(team: TeamMemory): Promise<SendingRun> {
    const sent: SentEntry[] = [];
    let after = 0;
    for (;;) {
      const row = await this.store.get<Row>(
        `SELECT ${COLUMNS} FROM outbox_entries WHERE refused IS NULL AND n > $after ORDER BY n LIMIT 1`,
        { after },
      );
      if (!row) return { sent, stopped: undefined };
      const { n, node_id, input, call_key } = row;
      after = n;
      try {
        this.requireRepeatable(row);
        const team_id = await storeThere(team, JSON.parse(input) as ToStore, {
          callKey: call_key,
          sending: () => this.noteSending(n),
        });
        await this.drop(n);
        sent.push({ n, node_id, team_id });
      } catch (error) {
        if (!(error instanceof SvcError)) throw error;
        const failure = failureOf(error);
        if (failure === 'silent' || failure === 'shut') return { sent, stopped: error };
        await this.refuse(n, error);
      }
    }
  }

  close(): Promise<void> {
    return this.store.close();
  }

  private async noteSending(n: number): Promise<void> {
    await this.store.transact((sql) =>
      sql.run('UPDATE outbox_entries SET sent_at = coalesce(sent_at, $at) WHERE n = $n', {
        n,
        at: timestamp(this.clock()),
      }),
    );
  }

  private async refuse(n: number, { said }: SvcError): Promise<void> {
    await this.store.transact((sql) => sql.run('UPDATE outbox_entries SET refused = $said WHERE n = $n', { n, said }));
  }

  /** @throws SvcError conflict */
  private requireRepeatable({ sent_at }: Row): void {
    if (sent_at === null || this.clock() - Date.parse(sent_at) < MAY_BE_REPEATED_MS) return;
    throw conflict(
      `It was sent on ${shownSecond(sent_at)} UTC, and nobody knows whether it arrived`,
      'Look whether the team has it; drop it then, or else promote it once more',
    );
  }
}

/**
 * A lost answer is asked for once more: it is stored once.
 * @returns its id there
 */
async function storeThere(team: TeamMemory, input: ToStore, how: TeamCall): Promise<string> {
  const value = await team.call('memory_store', input, how).catch((error: unknown) => {
    if (failureOf(error) !== 'silent') throw error;
    return team.call('memory_store', input, how);
  });
  const id = typeof value === 'object' && value !== null && 'node_id' in value ? value.node_id : undefined;
  if (typeof id === 'string') return oneLine(id);
  throw unavailable(
    "The team's server gave an answer that is none",
    'Look at its version, and at what was stored there',
  );
}

const COLUMNS = 'n, call_key, node_id, input, queued_at, sent_at, refused';

/** Sends what waits, in the background of calls that were answered; who promoted it is told by `promote --waiting`. */
export class OutboxSender {
  private sending: Promise<void> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly home: string,
    private readonly log: Log,
  ) {}

  /** It never throws. */
  sendSoon(team: TeamMemory): void {
    const now = performance.now();
    if (this.sending || now - this.triedAt < SEND_EVERY_MS || !hasOutbox(this.home, team.address)) return;
    this.triedAt = now;
    this.sending = sendWaiting(this.home, team)
      .catch((error: unknown) => this.log(`what waits for the team: ${String(error)}`))
      .then(() => {
        this.sending = undefined;
      });
  }

  /** What is not sent by then is sent another time. */
  async close(patienceMs: number): Promise<void> {
    let limit: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, patienceMs);
    });
    await Promise.race([this.sending, late]);
    clearTimeout(limit);
  }
}

async function sendWaiting(home: string, team: TeamMemory): Promise<void> {
  const outbox = await Outbox.open(home, team.address);
  try {
    await outbox.send(team);
  } finally {
    await outbox.close();
  }
}

/** How many wait, and how many the server did not take. What cannot be read is none. */
export async function countOutbox(home: string, address: string): Promise<{ waiting: number; refused: number }> {
  if (!hasOutbox(home, address)) return { waiting: 0, refused: 0 };
  const outbox = await Outbox.open(home, address).catch(() => undefined);
  try {
    const all = (await outbox?.list()) ?? [];
    const refused = all.filter((one) => one.refused !== null).length;
    return { waiting: all.length - refused, refused };
  } finally {
    await outbox?.close();
  }
}

/** Whether anything may wait: a look at a file. */
export function hasOutbox(home: string, address: string): boolean {
  return existsSync(outboxFile(home, address));
}

function outboxFile(home: string, address: string): string {
  return join(teamFolder(home), `${hashOf(address)}-outbox`);
}
