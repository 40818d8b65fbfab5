/** Asks Git whether it leaves a file out. */
import { cut, oneLine } from '../base/text';
import { type OpenRepository, openRepository } from './open-repository';

export interface AskIgnored extends OpenRepository {
  /** Relative to the root. */
  readonly path: string;
}

const MAX_SHOWN = 100;

/**
 * The rule by which Git leaves out a file that it does not know yet, as `.gitignore:3: .svc/`.
 * @throws SvcError unavailable without Git or a repository
 */
export async function ignoredBy({ path, ...where }: AskIgnored): Promise<string | undefined> {
  const { git } = await openRepository(where);
  // It knows no literal paths, and fails where they are asked for.
  const { status, out } = await git(
    ['--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'],
    `${path}\0`,
  );
  const [file = '', line = '', pattern = ''] = out.toString().split('\0');
  // A rule that brings a file back is printed as well.
  if (status !== 0 || pattern === '' || pattern.startsWith('!')) return undefined;
  return cut(oneLine(`${file}:${line}: ${pattern}`), MAX_SHOWN);
}
