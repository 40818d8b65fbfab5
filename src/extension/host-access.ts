/** Decides who may ask the editor's model. */
import { timingSafeEqual } from 'node:crypto';
import type { Asked } from '../question/wire';

/** What the user is asked about. */
export type AskedAbout = Pick<Asked, 'folder' | 'sections'>;

/**
 * Who may ask the editor's model. The programs that the extension starts show its token. A program that knows only
 * the address, as all in the integrated terminal do, is let in by the user, who is asked once, whatever the answer.
 */
export function hostAccess(
  token: string,
  askUser: (about: AskedAbout) => Promise<boolean>,
): (asked: Pick<Asked, 'token' | 'folder' | 'sections'>) => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return async ({ token: shown, folder, sections }) => {
    // Nobody has a wrong one by mistake: there is no question to ask.
    if (shown !== undefined) return isSame(shown, token);
    answer ??= askUser({ folder, sections }).catch(() => false);
    return answer;
  };
}

function isSame(shown: string, token: string): boolean {
  const [a, b] = [Buffer.from(shown), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}
