import type { Project } from '../project/open';

/**
 * The project behind a server: opened when it is first needed, once. A store that cannot be opened does not end the
 * server: whoever needs it is told, and the next one tries again.
 */
export class LazyProject {
  private opening: Promise<Project> | undefined;

  constructor(private readonly openProject: () => Promise<Project>) {}

  open(): Promise<Project> {
    this.opening ??= this.openProject().catch((error: unknown) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  /** Opens it ahead of the first need. What goes wrong is told to whoever needs it. */
  prepare(): void {
    this.open().catch(() => undefined);
  }

  async close(): Promise<void> {
    const project = await this.opening?.catch(() => undefined);
    await project?.close();
  }
}
