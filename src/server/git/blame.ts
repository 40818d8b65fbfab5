/** Asks Git which commit a line comes from. */
import { SvcError } from '../base/errors';
import { readBody } from './log';
import type { OpenRepository } from './open-repository';
import { openRepository } from './open-repository';

export interface BlamedCommit {
  readonly id: string;
  readonly author: string;
  /** ISO-8601, UTC. */
  readonly date: string;
  readonly subject: string;
  /** What its message says below, without trailers; empty where it says nothing. */
  readonly body: string;
}

export interface AskBlame extends OpenRepository {
  /** Relative to the root. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** What an editor has unsaved, instead of the file. */
  readonly text: string | undefined;
}

const COMMITTED = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) /;
const MS = 1_000;

/**
 * The commit that brought a line; one that only changed its spaces does not count.
 * @returns undefined for a line, or a file, that is not committed
 * @throws SvcError unavailable without Git or a repository
 */
export async function blameLine({ path, line, text, ...where }: AskBlame): Promise<BlamedCommit | undefined> {
  const { git } = await openRepository(where);
  const { status, out } = await git(
    [
      // A list of commits to pass over may be any file, a pipe as well.
      ...['-c', 'blame.ignoreRevsFile=', 'blame', '--porcelain', '-w', '--no-textconv', `-L${line},${line}`],
      ...(text === undefined ? [] : ['--contents', '-']),
      ...['--', path],
    ],
    text,
  );
  if (status !== 0) return undefined;
  const lines = out.toString().split('\n');
  const id = COMMITTED.exec(lines[0] ?? '')?.[1];
  if (id === undefined || /^0+$/.test(id)) return undefined;
  const field = (name: string): string => lines.find((one) => one.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
  const at = new Date(Number(field('author-time')) * MS);
  return {
    id,
    author: field('author'),
    date: Number.isNaN(at.getTime()) ? '' : at.toISOString(),
    subject: field('summary'),
    body: await readBody({ git }, id).catch(withoutBody),
  };
}

/** Where Git takes too long for it, the commit is known all the same. */
function withoutBody(error: unknown): string {
  if (error instanceof SvcError) return '';
  throw error;
}
