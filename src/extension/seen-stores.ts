/** Remembers which folders have a store. */
import type * as vscode from 'vscode';
import type { MemoryFolder } from './folders';

const SEEN = 'seenStores';

/** Folders whose store this workspace has seen: no server is started to ask about one that never had any. */
export class SeenStores {
  constructor(private readonly state: vscode.Memento) {}

  /** Whether the folder has a store, or had one. */
  async has({ uri, store }: MemoryFolder): Promise<boolean> {
    const known = this.all().includes(uri.toString());
    if (store.exists && !known) await this.state.update(SEEN, [...this.all(), uri.toString()]);
    return store.exists || known;
  }

  async forget({ uri }: MemoryFolder): Promise<void> {
    await this.state.update(
      SEEN,
      this.all().filter((each) => each !== uri.toString()),
    );
  }

  private all(): readonly string[] {
    return this.state.get<readonly string[]>(SEEN, []);
  }
}
