import type { Project } from '../project/open';
import type { Effect } from '../tools/define-tool';

/**
 * The project behind a server: opened when it is first needed, once. A store that cannot be opened does not end the
 * server: whoever needs it is told, and the next one tries again.
 */
export class LazyProject {
  private opening: Promise<Project> | undefined;

  /** @param openStandIn what is read until something is written or the store is there, which it says with undefined */
  constructor(
    private readonly openProject: () => Promise<Project>,
    private readonly openStandIn?: () => Promise<Project | undefined>,
  ) {}

  async open(effect: Effect): Promise<Project> {
    const standIn = effect === 'read' && !this.opening ? await this.openStandIn?.() : undefined;
    if (standIn) return standIn;
    this.opening ??= this.openProject().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Opens it ahead of the first need. What goes wrong is told to whoever needs it. */
  prepare(): void {
    this.open('read').catch(() => undefined);
  }

  async close(): Promise<void> {
    const project = await this.opening?.catch(() => undefined);
    await project?.close();
  }
}
