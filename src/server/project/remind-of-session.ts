/** Finds a session that an agent should end. */
import { HOUR_MS } from '../base/clock';
import { noteReminded, unendedSession } from '../memory/sessions/unended-session';
import type { Project } from './open';

/** Clients of people: the command line and the editor. */
const PEOPLE = ['cli', 'VS Code'];
/** A session that was left longer ago belongs to another conversation. */
const LATELY_MS = 2 * HOUR_MS;

/** The id of a session that an agent should end before it stops. Each session is returned once. */
export async function remindOfSession(project: Project): Promise<string | undefined> {
  const session = await unendedSession(project.memory, PEOPLE, LATELY_MS);
  if (session) await project.write((memory) => noteReminded(memory, session), 'hook');
  return session?.id;
}
