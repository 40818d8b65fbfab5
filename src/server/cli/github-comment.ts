/** Writes the comment of a pull request, or renews it: one comment, however often the check runs. */
import { unavailable } from '../base/errors';
import { quoted } from '../base/text';

/** Where GitHub runs a check, as its environment says. */
export interface GithubRun {
  /** `https://api.github.com` */
  readonly apiUrl: string | undefined;
  /** `owner/name` */
  readonly repository: string | undefined;
  /** `refs/pull/12/merge` */
  readonly ref: string | undefined;
  readonly token: string | undefined;
}

const TIMEOUT_MS = 30_000;
const PER_PAGE = 100;
const MOST_PAGES = 20;

/**
 * @param mark stands in the comment of an earlier run
 * @param isNews whether there is something to say where no comment stands yet
 * @returns what was done
 * @throws SvcError unavailable outside of a pull request, and where GitHub refuses
 */
export async function writeComment(
  run: GithubRun,
  text: string,
  { mark, isNews }: { readonly mark: string; readonly isNews: boolean },
): Promise<'written' | 'renewed' | 'nothing to say'> {
  const { apiUrl = 'https://api.github.com', repository, ref, token } = run;
  const number = /^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1];
  if (repository === undefined || !/^[\w.-]+\/[\w.-]+$/.test(repository) || number === undefined || !token) {
    throw unavailable(
      'This is no run of GitHub for a pull request that may write: GITHUB_REPOSITORY, GITHUB_REF or GITHUB_TOKEN is missing',
      'Leave --post out and use --comment <file>, or run it on pull_request with GITHUB_TOKEN in the environment',
    );
  }
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${apiUrl}/repos/${repository}/issues/${path}`, {
      method,
      headers: {
        ...{ accept: 'application/vnd.github+json', authorization: `Bearer ${token}` },
        ...{ 'content-type': 'application/json', 'user-agent': 'svc-memory' },
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
    if (answer?.ok) return answer.json();
    throw unavailable(
      `GitHub at ${quoted(apiUrl)} ${answer ? `answered with ${answer.status}` : 'cannot be reached'}, and no comment was written`,
      'The run needs "permissions: pull-requests: write"; runs for a fork do not get it',
    );
  };
  for (let page = 1; page <= MOST_PAGES; page++) {
    const comments = await ask('GET', `${number}/comments?per_page=${PER_PAGE}&page=${page}`);
    if (!Array.isArray(comments)) break;
    const own = comments.find((one: { body?: unknown }) => typeof one.body === 'string' && one.body.startsWith(mark));
    if (own) {
      await ask('PATCH', `comments/${Number((own as { id: unknown }).id)}`, { body: text });
      return 'renewed';
    }
    if (comments.length < PER_PAGE) break;
  }
  if (!isNews) return 'nothing to say';
  await ask('POST', `${number}/comments`, { body: text });
  return 'written';
}
