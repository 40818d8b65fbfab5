/** Renews the leases of the sessions that this process has open, and gives them up. */
import { timestamp } from '../base/clock';
import type { Log } from '../base/log';
import type { Reader } from '../db/sql';
import type { Store } from '../db/store';
import type { Memory, Scope } from '../memory/memory';
import { holdsAny, leaseEnd, leaseUntil, RENEWALS } from '../memory/sessions/leases';

interface LeasedStore {
  readonly store: Reader & Pick<Store, 'transact' | 'left'>;
  readonly memory: Memory;
  readonly log: Log;
  /** The store is to be opened again: it may not be ours to write any more. */
  readonly isOld: () => boolean;
}

/**
 * The sessions that this process has open in a store. Each write of a session renews its lease; between writes a timer
 * does, which keeps no process alive and fails no call. It begins with the first write and ends when no session is open.
 */
export class SessionLeases {
  private readonly scopes = new Set<Scope>();
  private timer: NodeJS.Timeout | undefined;
  private closed = false;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly leased: LeasedStore) {}

  /** Called after each write. @param scope whose session is held from now on, as long as it is the open one there */
  note(scope: Scope): void {
    if (this.closed || !scope.session) return;
    this.scopes.add(scope);
    this.timer ??= setInterval(() => this.renew(), this.leased.memory.holder().leaseMs / RENEWALS).unref();
  }

  /** Nobody has to wait for the leases to end. The sessions stay open. */
  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.timer);
    await this.writing;
    await this.write(({ clock }) => timestamp(clock()));
  }

  private renew(): void {
    this.writing = this.write(leaseEnd).then((any) => {
      if (any || this.closed) return;
      clearInterval(this.timer);
      this.timer = undefined;
      this.scopes.clear();
    });
  }

  /** @returns false where there is nothing to be renewed: no session is open, or the store is not to be written */
  private async write(until: (memory: Memory) => string): Promise<boolean> {
    const { store, memory, log, isOld } = this.leased;
    const sessions = [...this.scopes].flatMap(({ session }) => session ?? []);
    if (sessions.length === 0 || store.left || isOld()) return false;
    const holder = memory.holder();
    try {
      // Reading keeps no other writer waiting.
      if (!(await holdsAny(store, holder, sessions))) return false;
      // A clock that tells no time is no reason to fail, either.
      const end = until(memory);
      await store.transact((sql) => leaseUntil(sql, holder, sessions, end));
    } catch (error) {
      log(`leases of sessions were not written: ${error instanceof Error ? error.message : String(error)}`);
    }
    return true;
  }
}
