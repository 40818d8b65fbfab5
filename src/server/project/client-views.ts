/** An opened project as one client sees it. */
import { inNamespace } from './in-namespace';
import type { Project } from './open';

/**
 * The views that one client has of an opened project: one for each namespace that it names, each with an open session of
 * its own. Several clients of one opened project have views of their own, so none moves the scope of another. The project
 * is closed by who opened it.
 */
export class ClientViews {
  /** By namespace. */
  private readonly views = new Map<string, Project>();

  constructor(private readonly project: Project) {}

  /**
   * The project in a namespace. A tool may move the scope (memory_switch_namespace, `namespace` of a write), but the
   * namespace is that of each request: after every write, before the next one has its turn, the view goes back, and the
   * session goes to whom it belongs.
   * @throws SvcError invalid_input for a namespace that is no name
   */
  of(namespace: string): Project {
    const known = this.views.get(namespace);
    if (known) return known;
    const plain = inNamespace(this.project, namespace);
    const { scope } = plain.memory;
    const goBack = (): void => {
      if (scope.namespace === namespace) return;
      const { namespace: moved, session } = scope;
      scope.namespace = namespace;
      scope.session = undefined;
      if (!session) return;
      const owner = this.of(moved).memory.scope;
      owner.session = session;
      this.project.leases.note(owner);
    };
    const view: Project = {
      ...plain,
      async write(work, tool, noted) {
        const result = await plain.write(work, tool, noted);
        goBack();
        return result;
      },
    };
    this.views.set(namespace, view);
    return view;
  }
}
