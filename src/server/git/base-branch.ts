/** Finds the branch that the present one goes back to. */
import { unavailable } from '../base/errors';
import { shownPath } from '../base/text';
import { type OpenRepository, openRepository } from './open-repository';

/** What most people branch off from; where the remote says it, that. */
const USUAL = ['origin/HEAD', 'origin/main', 'origin/master', 'upstream/main', 'upstream/master', 'main', 'master'];

/**
 * The name of the branch that this one will go into, as far as its name tells. On such a branch itself it is what the
 * remote has of it.
 * @throws SvcError unavailable without Git or a repository, or where no branch has such a name
 */
export async function baseBranch(where: OpenRepository): Promise<string> {
  const { git, root } = await openRepository(where);
  const own = (await git(['symbolic-ref', '--quiet', '--short', 'HEAD'])).out.toString().trim();
  for (const name of USUAL) {
    if (name === own) continue;
    const { status } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
    if (status === 0) return name;
  }
  if (USUAL.includes(own)) {
    throw unavailable(
      `"${own}" is what other branches are compared with, and has nothing itself to be compared with by default`,
      'Name a branch, a tag or a commit',
    );
  }
  throw unavailable(
    `No branch to compare this one with: ${shownPath(root)} has no ${USUAL.join(', ')}`,
    'Name a branch, a tag or a commit instead',
  );
}
