/** Lets a command continue an open session. */
import { lastEndedOf, newestSessionOf, sessionToResume } from '../memory/sessions/resume-session';
import type { Project } from './open';

/**
 * A process that lives for one command takes its session from the store: the one with this id, else the newest open
 * one in the active namespace that a process of the same client opened. Without any, the first write opens one.
 * @throws SvcError not_found or conflict for the id
 */
export async function chooseSession(project: Project, client: string, id: string | undefined): Promise<void> {
  const { memory } = project;
  memory.scope.session = id === undefined ? await newestSessionOf(memory, client) : await sessionToResume(memory, id);
  // A second end is refused, as within one process.
  if (!memory.scope.session) memory.scope.ended = await lastEndedOf(memory, client);
}
