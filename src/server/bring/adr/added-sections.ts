/** What people have added to a record of ours, in sections of their own. Pure. */
import type { Part } from '../markdown';
import { DETAILS } from './adr';
import { readEscaped } from './escaped-lines';
import { joined, titled } from './told';

/** Read already. */
const KNOWN = /^(?:status|date)$|^(?:considered |rejected )?(?:options|alternatives)\b/i;
const FIELD = /^[-* \t]*(?:status|date)\**:.*$/gim;

/** All of it is a reason: also what stands above the first section. */
export function addedIn(parts: readonly Part[], outcome: Part): string {
  const details = parts.find(({ depth, title }) => depth > 1 && title === DETAILS);
  const added = parts.filter(
    (one) =>
      one !== outcome &&
      one !== details &&
      !KNOWN.test(one.title) &&
      !one.above.some((title) => title === DETAILS || KNOWN.test(title)),
  );
  return joined(
    ...added.map(({ depth, title, body }) =>
      depth > 1 ? titled(title, readEscaped(body)) : readEscaped(body.replace(FIELD, '').trim()),
    ),
  );
}
