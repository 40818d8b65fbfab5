/** Opens the project of a server when it is first needed. */
import { tellLeft, tellNowhere } from '../project/left-store';
import type { Project } from '../project/open';
import { RetiredProjects } from '../project/retired-projects';
import type { Effect } from '../tools/define-tool';

/**
 * The project behind a server: opened when it is first needed, once. A store that cannot be opened does not end the
 * server: its caller is told, and the next one tries again. One that is only read is opened again when it was
 * changed, or accepted, meanwhile; any, when another file lies in its place.
 */
export class LazyProject {
  private opening: Promise<Project> | undefined;
  private current: Project | undefined;
  private readonly retired = new RetiredProjects();

  /** @param openStandIn what is read until something is written or the store is there, which it says with undefined */
  constructor(
    private readonly openProject: () => Promise<Project>,
    private readonly openStandIn?: () => Promise<Project | undefined>,
  ) {}

  async open(effect: Effect): Promise<Project> {
    const standIn = effect === 'read' && !this.opening ? await this.openStandIn?.() : undefined;
    if (standIn) return standIn;
    const { current } = this;
    await current?.store.look();
    const isLeft = current !== undefined && current === this.current && current.isOld();
    if (isLeft) await this.leave(current);
    else if (current) tellNowhere(current);
    this.opening ??= this.openProject().then(
      (project) => {
        this.current = project;
        return project;
      },
      (error: unknown) => {
        this.opening = undefined;
        throw error;
      },
    );
    const project = await this.opening;
    if (isLeft) tellLeft(current);
    return project;
  }

  /** Opens it ahead of the first need. What goes wrong is told to the caller that needs it. */
  prepare(): void {
    this.open('read').catch(() => undefined);
  }

  async close(): Promise<void> {
    const project = await this.opening?.catch(() => undefined);
    await project?.close();
    await this.retired.closeAll();
  }

  private async leave(project: Project): Promise<void> {
    this.current = undefined;
    this.opening = undefined;
    // Nobody reads one's own store on after its acceptance was taken back.
    if (project.access === 'own') await project.close();
    else this.retired.add(project);
  }
}
