/** Keeps replaced projects open for calls that still read them. */
import type { Project } from './open';

/** A call that has begun may read this long from a project that is no longer the one to open, in milliseconds. */
const RETIRED_FOR_MS = 35_000;
/** Each may hold a copy of a large store; the oldest goes when there are more. */
const MOST_RETIRED = 2;

/** Projects that were only read, and that calls which have begun may still read. */
export class RetiredProjects {
  private readonly retired: Project[] = [];

  add(project: Project): void {
    this.retired.push(project);
    while (this.retired.length > MOST_RETIRED) this.close(this.retired[0]);
    setTimeout(() => this.close(project), RETIRED_FOR_MS).unref();
  }

  async closeAll(): Promise<void> {
    await Promise.all(this.retired.splice(0).map((one) => one.close()));
  }

  private close(project: Project | undefined): void {
    const at = project ? this.retired.indexOf(project) : -1;
    if (at < 0) return;
    this.retired.splice(at, 1);
    // There is nothing to lose.
    project?.close().catch(() => undefined);
  }
}
