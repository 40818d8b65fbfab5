/** Commits that say why: decisions, reverts and fixes with a body. */

import { oneLine } from '../../base/text';
import { headCommit } from '../../git/head-commit';
import { type LoggedCommit, readLog, withoutTrailers } from '../../git/log';
import { openRepository } from '../../git/open-repository';
import type { Draft } from '../../memory/transfer/draft';
import { dateOf, fitContent, fitRationale, MAX_NAMES } from '../fit';
import { codeIn } from '../markdown';
import type { SourceReader } from '../source-reader';

/** The newest of them are read. */
const MAX_COMMITS = 10_000;
/** And the newest of these are brought. */
const MAX_KEPT = 300;
/** In characters, without trailers. A shorter body says what changed, not why. */
const SHORTEST_BODY = 80;
const NAME = 'git log';

export const gitLog: SourceReader = {
  name: 'git-log',
  detect: ({ root }) => (headCommit(root) === null ? [] : [NAME]),
  read: async ({ root, git: host, signal }, name) => {
    const repository = await openRepository({ root, host, signal });
    const takenBack = new TakenBack();
    const isWanted = (commit: LoggedCommit): boolean => !takenBack.has(commit) && kindOf(commit) !== undefined;
    const log = await readLog(repository, MAX_COMMITS, isWanted, MAX_KEPT);
    return { name, hash: headCommit(root) ?? '', drafts: log.flatMap(draftOf), unread: [] };
  },
};

const REVERTS = /^this reverts commit ([0-9a-f]{7,64})\b/gim;

/** Commits that a later one has reverted: what they say holds no longer. Asked of the newest first. */
class TakenBack {
  private readonly ids: string[] = [];

  has({ id, body }: LoggedCommit): boolean {
    if (this.ids.some((reverted) => id.startsWith(reverted))) return true;
    for (const [, reverted = ''] of body.matchAll(REVERTS)) this.ids.push(reverted.toLowerCase());
    return false;
  }
}

const DECISION =
  /\b(?:instead of|rather than|in favou?r of|we (?:decided|chose)|decided (?:to|against)|trade-?offs?|considered|rejected)\b/i;
/** Somebody calls it one; it ends with its paragraph, or where the next line is called something. */
const NAMED_DECISION = /^decision:[^\S\n]*\n?[^\S\n]*(\S[^\n]*(?:\n(?!\w{1,30}:)[^\n]+)*)/im;
const BOT = /\[bot\]|dependabot|renovate|greenkeeper/i;
const PREFIX = /^(\w+)(?:\(([^)]*)\))?(!)?:\s*/;

function kindOf(commit: LoggedCommit): 'decision' | 'revert' | 'fix' | undefined {
  const { subject, body, author } = commit;
  if (BOT.test(author) || /^merge\b/i.test(subject)) return undefined;
  const [, type = '', , breaking] = PREFIX.exec(subject) ?? [];
  const why = withoutTrailers(body);
  const reason = why.replace(/^this reverts commit [0-9a-f]+\.?/i, '').trim();
  if (/^revert\b/i.test(subject)) return reason.length >= SHORTEST_BODY / 2 ? 'revert' : undefined;
  if (breaking === '!' || /^BREAKING[ -]CHANGE:/m.test(body)) return 'decision';
  const isNamed = NAMED_DECISION.test(why);
  if (why.length < SHORTEST_BODY && !isNamed) return undefined;
  if (/^(?:bug)?fix|hotfix/i.test(type) || (type === '' && /^fix(?:es|ed)?\b/i.test(subject))) return 'fix';
  return isNamed || DECISION.test(why) ? 'decision' : undefined;
}

function draftOf(commit: LoggedCommit & { readonly files: readonly string[] }): Draft[] {
  const kind = kindOf(commit);
  if (kind === undefined) return [];
  const { subject, body, date, files } = commit;
  const why = withoutTrailers(body);
  const [prefix = '', , scope = ''] = PREFIX.exec(subject) ?? [];
  const words = oneLine(subject.slice(prefix.length));
  const said = kind === 'revert' ? words.replace(/^revert:?\s*/i, '') : scope === '' ? words : `${scope}: ${words}`;
  const [, named] = (kind === 'decision' && NAMED_DECISION.exec(why)) || [];
  // Its subject says what was done, and the line what was decided.
  const decided = named === undefined ? said : `${oneLine(named).replace(/\.$/, '')} (${said})`;
  const isSaid = kind === 'decision' || (kind === 'fix' && /^fix/i.test(said));
  return [
    {
      kind: kind === 'decision' ? 'decision' : 'outcome',
      content: fitContent(isSaid ? decided : `${kind === 'revert' ? 'Reverted' : 'Fixed'}: ${said}`),
      rationale: fitRationale(why),
      entities: [...new Set([...codeIn(`${subject}\n${body}`), ...telling(files)])].slice(0, MAX_NAMES),
      valid_from: dateOf(date),
      // A commit never changes; another one with the same words is another one.
      anchor: commit.id,
    },
  ];
}

const WITH_EVERYTHING =
  /(?:^|\/)(?:changelog[^/]*|[^/]*lock[^/]*\.(?:json|yaml|toml)|[^/]*\.lock|\.svc\/memories\/.*)$/i;

/** What changes with everything says nothing, as shared memories do; tests come after what they test. */
function telling(files: readonly string[]): string[] {
  const told = files.filter((path) => !WITH_EVERYTHING.test(path));
  const isTest = (path: string): boolean => /(?:^|[/._-])(?:tests?|spec|__snapshots__)(?:[/._-]|$)/i.test(path);
  return [...told.filter((path) => !isTest(path)), ...told.filter(isTest)];
}
