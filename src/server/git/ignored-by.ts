/** Asks Git which files it leaves out. */
import { cut, oneLine } from '../base/text';
import { type OpenRepository, openRepository } from './open-repository';

export interface AskIgnored extends OpenRepository {
  /** Relative to the root. */
  readonly paths: readonly string[];
}

export interface IgnoredFile {
  readonly path: string;
  /** As `.gitignore:3: .svc/`. */
  readonly rule: string;
}

const MAX_SHOWN = 100;

const FIELDS = 4;

/**
 * Those of the files that Git leaves out and does not know yet.
 * @throws SvcError unavailable without Git or a repository
 */
export async function ignoredAmong({ paths, ...where }: AskIgnored): Promise<IgnoredFile[]> {
  const { git } = await openRepository(where);
  // It knows no literal paths, and fails where they are asked for.
  const { status, out } = await git(
    ['--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'],
    paths.map((path) => `${path}\0`).join(''),
  );
  // 1 where it leaves out none.
  if (status !== 0) return [];
  const fields = out.toString().split('\0');
  return Array.from({ length: Math.floor(fields.length / FIELDS) }, (_, i) => {
    const [file = '', line = '', pattern = '', path = ''] = fields.slice(i * FIELDS, (i + 1) * FIELDS);
    // A rule that brings a file back is printed as well.
    return pattern.startsWith('!') ? [] : [{ path, rule: cut(oneLine(`${file}:${line}: ${pattern}`), MAX_SHOWN) }];
  }).flat();
}
